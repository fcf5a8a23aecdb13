// The kernel's descriptors for events, timers, signals and input devices, which the Glibc module leaves out, a few
// functions that glibc only declares to GNU sources, and the pages of code.
#pragma once
#include <linux/input.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/mman.h>
#include <time.h>

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int pthread_setname_np(pthread_t thread, const char *name);

// Writes to every page of the calling thread's stack down to this depth, so that none is missing later.
static inline __attribute__((noinline)) void touch_stack(void) {
  volatile char bytes[128 * 1024];
  for (unsigned long at = 0; at < sizeof bytes; at += 4096) bytes[at] = 0;
}

// Takes all pages of code and constants, of the program and its libraries, out of this process. What is used again comes
// back from the kernel's cache at its next use.
void release_code(void);

// What an input device can be asked. Each answers as ioctl(2) does; bits stand for codes, the lowest of a byte first.
static inline int input_name(int device, char *name, unsigned long size) { return ioctl(device, EVIOCGNAME(size), name); }

// From now on its events are stamped by CLOCK_MONOTONIC.
static inline int input_set_monotonic(int device) {
  int clock = CLOCK_MONOTONIC;
  return ioctl(device, EVIOCSCLOCKID, &clock);
}

// The codes of one type that it has.
static inline int input_codes(int device, unsigned type, void *bits, unsigned long size) {
  return ioctl(device, EVIOCGBIT(type, size), bits);
}

// The keys that are down, the switches that are on. Events of the type that wait are forgotten.
static inline int input_keys(int device, void *bits, unsigned long size) { return ioctl(device, EVIOCGKEY(size), bits); }
static inline int input_switches(int device, void *bits, unsigned long size) {
  return ioctl(device, EVIOCGSW(size), bits);
}
