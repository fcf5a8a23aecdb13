#include "CALSA.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char words[256];

static void keep_words(const char *file, int line, const char *function, int err, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err;
  if (words[0] != 0) return;
  // libasound reads errno for its answer after it has spoken.
  const int before = errno;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  errno = before;
}

void calsa_silence(void) { snd_lib_error_set_handler(keep_words); }

void calsa_forget_words(void) { words[0] = 0; }

const char *calsa_words(void) { return words; }
