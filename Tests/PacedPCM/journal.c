// What a card remembers: every frame heard, and a line for every event.
#include "card.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remember(paced_journal *journal, const uint8_t *bytes, size_t count) {
  if (journal->count + count > journal->capacity) {
    size_t capacity = (journal->count + count) * 2;
    uint8_t *grown = realloc(journal->bytes, capacity);
    // A test without memory has nothing left to show.
    if (grown == NULL) abort();
    journal->bytes = grown;
    journal->capacity = capacity;
  }
  memcpy(journal->bytes + journal->count, bytes, count);
  journal->count += count;
}

static void write_all(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    // A full disk: the file ends there, and who reads it sees that the log tells of more frames.
    if (written <= 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}

void journal_keep(paced_card *card, const uint8_t *bytes, size_t count) {
  if (card->journal.file >= 0) write_all(card->journal.file, bytes, count);
  if (card->journal.remembers) remember(&card->journal, bytes, count);
}

void journal_tell(paced_card *card, int64_t nanoseconds, const char *event, const char *format, ...) {
  if (card->journal.log < 0) return;
  char words[160] = "";
  if (format != NULL) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
  }
  char line[256];
  int length = snprintf(
      line, sizeof line, "%lld.%09lld %s %splayed=%llu\n", (long long)(nanoseconds / 1000000000),
      (long long)(nanoseconds % 1000000000), event, words, (unsigned long long)card->played);
  if (length > 0) write_all(card->journal.log, (const uint8_t *)line, (size_t)length);
}

const uint8_t *paced_heard(const paced_card *card, size_t *bytes) {
  *bytes = card->journal.count;
  return card->journal.bytes;
}
