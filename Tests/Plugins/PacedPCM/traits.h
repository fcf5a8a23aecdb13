#pragma once
#include "PacedPCM.h"

/// S16, S32 and float, mono and stereo, 8 to 192 kHz, at the clock's pace; rewinds and pauses.
extern const paced_traits usual_traits;

/// Sets the one called `name` (a key of plugin.c that is not a file) to what `text` says. 0, or -EINVAL.
int traits_set(paced_traits *traits, const char *name, const char *text);

// models.c
/// Sets all that the model called `name` is known for. 0, or -EINVAL.
int model_set(paced_traits *traits, const char *name);
