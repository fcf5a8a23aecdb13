// Preloaded, this has a program believe that its machine was switched on at the beginning of 1970, as a board without a
// clock and without a network does: what the kernel counts since power on is the time of day.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  int is_calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  return (int)syscall(SYS_clock_gettime, is_calendar ? CLOCK_BOOTTIME : clock, now);
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  result->tv_sec = now.tv_sec;
  result->tv_usec = now.tv_nsec / 1000;
  return 0;
}
