// The kernel's descriptors for events, timers and signals, which the Glibc module leaves out, and a few functions that
// glibc only declares to GNU sources.
#pragma once
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
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
