// The kernel's interfaces for events, timers, signals, input devices and attributes of files, which the Glibc module leaves
// out, a few functions that glibc declares to GNU sources only, and functions for memory pages.
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
#include <sys/xattr.h>
#include <time.h>

#include "CrashNote.h"
#include "DecoderJail.h"

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int pthread_setname_np(pthread_t thread, const char *name);

// Writes to every page of the calling thread's stack down to this depth, so that none causes a page fault later.
static inline __attribute__((noinline)) void touch_stack(void) {
  volatile char bytes[128 * 1024];
  for (unsigned long at = 0; at < sizeof bytes; at += 4096) bytes[at] = 0;
}

// Whether the kernel says that a time server or another source keeps the calendar clock right.
int clock_is_synchronised(void);

// Unmaps all pages of code and constants of the program and its libraries from this process's memory. The kernel maps
// them again from its cache at their next use.
void release_code(void);

// Has the kernel read the code that a kiosk calls (deploy/link-order) in one go, and of all other code and constants only
// the page that is used: by itself it reads 128 KiB around each, which takes a card 4 ms.
void read_code_ahead(void);

// Has the kernel read what is mapped there from a file, however much that is, and waits for none of it.
void read_pages_ahead(const void *address, unsigned long size);

// Has pieces of memory of 64 KiB and more given back to the kernel as soon as they are free: as a rule glibc keeps up to
// 32 MiB of them, and between what is in use it keeps more. And has the kernel give this process, and those that it
// starts, memory by the page: where it may, it gives 2 MiB at the first touch, also of a ring that nobody uses.
void keep_memory_small(void);

// The calls on an input device. Each returns as ioctl(2) does; each bit stands for a code, the lowest of a byte first.

// Makes the kernel stamp the device's events by CLOCK_MONOTONIC.
static inline int input_set_monotonic(int device) {
  int clock = CLOCK_MONOTONIC;
  return ioctl(device, EVIOCSCLOCKID, &clock);
}

// Takes the device for this descriptor alone: nothing else gets its events until it is closed.
static inline int input_grab(int device) { return ioctl(device, EVIOCGRAB, 1); }

// The codes of one type that the device has.
static inline int input_codes(int device, unsigned type, void *bits, unsigned long size) {
  return ioctl(device, EVIOCGBIT(type, size), bits);
}

// The keys that are down and the switches that are on. Waiting events of the type are dropped by the kernel.
static inline int input_keys(int device, void *bits, unsigned long size) { return ioctl(device, EVIOCGKEY(size), bits); }
static inline int input_switches(int device, void *bits, unsigned long size) {
  return ioctl(device, EVIOCGSW(size), bits);
}
