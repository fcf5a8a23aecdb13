// The kernel's descriptors for events, timers and signals, which the Glibc module leaves out, and a few functions that
// glibc only declares to GNU sources.
#pragma once
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *end);
