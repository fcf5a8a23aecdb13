// What a process leaves behind that dies of a fault of its own: a text that says what it was working on. The signal's
// handler writes it, so that nothing is written, and no card is worn, as long as there is no fault.
#pragma once

// The longest text in bytes, and how long it is true of what the process is doing.
enum { crash_note_most = 1 << 14, crash_note_seconds = 10 };

// Has the text written to `path`, which is created empty, when the process gets a signal that a fault raises. The
// process then dies of it as it would have. Once, before other threads. Returns 0 or an error number.
int crash_note_begin(const char *path);

// Puts another text in the place of the one before; a longer one than the most is none. One thread at a time.
void crash_note_set(const void *bytes, unsigned long count);

// The process works on what the text says: from now on for `crash_note_seconds`, a fault may have to do with it. Any thread.
void crash_note_touch(void);
