#pragma once
// A PCM (ALSA ioplug) that plays or captures on command instead of by a clock: tests say how many frames were heard,
// and read what they were, or give what it hears.
#include <alsa/asoundlib.h>
#include <alsa/pcm_plugin.h>
#include <stddef.h>
#include <stdint.h>

typedef struct commanded_pcm commanded_pcm;

commanded_pcm *commanded_new(void);

/// Only after every PCM that was opened on it is closed.
void commanded_free(commanded_pcm *device);

/// Opens it once, for the given format and at most that many channels, 8 to 192 kHz. 0 or a negative errno.
int commanded_open(
    commanded_pcm *device, snd_pcm_t **pcm, snd_pcm_stream_t stream, snd_pcm_format_t format, unsigned channels);

/// Plays up to `frames` queued frames if it is running; it ran dry when fewer were there. Answers how many were played.
size_t commanded_play(commanded_pcm *device, size_t frames);

/// Puts `frames` frames of the device's format into a running capture device; it ran over when not all fit. Answers how
/// many did.
size_t commanded_capture(commanded_pcm *device, const void *samples, size_t frames);

/// What happens to a device from outside: suspended, disconnected.
void commanded_set_state(commanded_pcm *device, snd_pcm_state_t state);

/// Makes its poll descriptor readable, whatever the buffer says.
void commanded_wake(commanded_pcm *device);

/// All bytes that were played since the opening.
const uint8_t *commanded_heard(const commanded_pcm *device, size_t *bytes);

/// How often it was closed.
int commanded_closings(const commanded_pcm *device);

/// How often it was resumed.
int commanded_resumptions(const commanded_pcm *device);
