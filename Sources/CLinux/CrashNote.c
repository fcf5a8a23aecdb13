#define _GNU_SOURCE
#include "CrashNote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// What a fault raises, and what systemd sends when the watchdog has run out. SIGKILL is not among them: nothing of this
// process sends that.
static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS};
enum { count_of_fatal = sizeof fatal / sizeof *fatal };

struct text {
  unsigned long count;
  char bytes[crash_note_most];
};

static int file = -1;
static struct sigaction before[count_of_fatal];
// The note in force, and the one that is written next.
static struct text texts[2];
static _Atomic(int) standing;
// Seconds of CLOCK_MONOTONIC; 0: never.
static _Atomic(long) touched;

static long seconds(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (long)now.tv_sec + 1 : 0;
}

// Only what may be called in a handler.
static void note(int number) {
  const struct text *text = &texts[atomic_load(&standing)];
  long last = atomic_load(&touched);
  if (last > 0 && seconds() - last <= crash_note_seconds) {
    ssize_t written = write(file, text->bytes, text->count);
    (void)written;
  }
  // The handler before this one gets the signal when this returns.
  for (int at = 0; at < count_of_fatal; at++)
    if (fatal[at] == number) sigaction(number, &before[at], NULL);
  raise(number);
}

int crash_note_begin(const char *path) {
  if (file >= 0) return EALREADY;
  int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (opened < 0) return errno;
  file = opened;
  struct sigaction action = {.sa_handler = note};
  sigemptyset(&action.sa_mask);
  for (int at = 0; at < count_of_fatal; at++) sigaction(fatal[at], &action, &before[at]);
  return 0;
}

void crash_note_set(const void *bytes, unsigned long count) {
  int next = !atomic_load(&standing);
  texts[next].count = count <= crash_note_most ? count : 0;
  memcpy(texts[next].bytes, bytes, texts[next].count);
  atomic_store(&standing, next);
}

void crash_note_touch(void) { atomic_store(&touched, seconds()); }
