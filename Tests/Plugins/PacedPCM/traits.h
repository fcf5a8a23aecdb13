#pragma once
#include "PacedPCM.h"

/// S16, S32 and float, mono and stereo, 8 to 192 kHz, at the clock's pace; rewinds and pauses.
extern const paced_traits usual_traits;

/// Sets the one called `name` (format, channels, rate, latency, rewind, take_back, pause, speed, least_buffer, most_buffer) to what
/// `text` says. 0, or -EINVAL.
int traits_set(paced_traits *traits, const char *name, const char *text);
