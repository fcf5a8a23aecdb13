// The kernel's descriptors for events, timers and signals, which the Glibc module leaves out.
#pragma once
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
