#include "CALSA.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[256];

static void keep_message(const char *file, int line, const char *function, int err, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err;
  if (message[0] != 0) return;
  // libasound returns errno after it has called this handler.
  const int before = errno;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  errno = before;
}

void calsa_keep_messages(void) { snd_lib_error_set_handler(keep_message); }

void calsa_clear_message(void) { message[0] = 0; }

const char *calsa_message(void) { return message; }
