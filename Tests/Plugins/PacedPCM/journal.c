// What a card remembers: every frame heard, and a line for every event.
#include "card.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remember(paced_memory *memory, const void *bytes, size_t count) {
  if (memory->count + count > memory->capacity) {
    size_t capacity = (memory->count + count) * 2;
    uint8_t *grown = realloc(memory->bytes, capacity);
    // A test without memory has nothing left to show.
    if (grown == NULL) abort();
    memory->bytes = grown;
    memory->capacity = capacity;
  }
  memcpy(memory->bytes + memory->count, bytes, count);
  memory->count += count;
}

static void write_all(int file, const void *data, size_t count) {
  const uint8_t *bytes = data;
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
  if (card->journal.remembers) remember(&card->journal.heard, bytes, count);
}

void journal_tell(paced_card *card, int64_t nanoseconds, const char *event, const char *format, ...) {
  paced_journal *journal = &card->journal;
  if (journal->log < 0 && !journal->remembers) return;
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
      (long long)(nanoseconds % 1000000000), event, words, (unsigned long long)card->counts.played);
  if (length <= 0) return;
  if (journal->log >= 0) write_all(journal->log, line, (size_t)length);
  if (journal->remembers) remember(&journal->told, line, (size_t)length);
}

const uint8_t *paced_heard(const paced_card *card, size_t *bytes) {
  *bytes = card->journal.heard.count;
  return card->journal.heard.bytes;
}

const char *paced_told(const paced_card *card, size_t *bytes) {
  *bytes = card->journal.told.count;
  return (const char *)card->journal.told.bytes;
}
