#pragma once
// The paced PCM for tests in the same process: a device whose clock stands still unless the test moves it. What it is
// and how any other program gets one by configuration is told in plugin.c.
#include <alsa/asoundlib.h>
#include <alsa/pcm_plugin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A sound card that is opened and closed, unplugged and restored; what it played stays with it.
typedef struct paced_card paced_card;

typedef enum {
  /// What is queued can be rewound until it is played.
  PACED_REWINDS,
  /// The device has fetched what is queued once it runs: nothing can be rewound, and libasound says so.
  PACED_KEEPS,
  /// Like the plug-ins of sound servers: libasound says that it was rewound, but it is heard.
  PACED_PRETENDS,
} paced_rewinding;

typedef enum {
  /// Counts every frame that is not yet heard.
  PACED_DELAY_EXACT,
  /// Moves in the steps of the position only.
  PACED_DELAY_STEPPED,
  /// By the time since the start: it goes on falling while the device stands.
  PACED_DELAY_GUESSED,
  /// By the whole milliseconds since the position moved last, for as long as frames are in flight.
  PACED_DELAY_COUNTED,
} paced_delay;

enum { PACED_STEP_OF_A_PERIOD = 1 << 30 };

/// What the device can do. Counts of 0: any.
typedef struct {
  /// SND_PCM_FORMAT_UNKNOWN: S16, S32 and float.
  snd_pcm_format_t format;
  unsigned least_channels, most_channels;
  unsigned least_rate, most_rate;
  unsigned least_buffer, most_buffer;  // bytes
  unsigned least_period;               // bytes
  unsigned latency;                    // frames between leaving the buffer and being heard
  unsigned in_flight;                  // frames that leave the buffer at the start, before they are heard
  unsigned position_step;              // frames by which the position moves
  unsigned start_delay;                // frames of the clock from the start until the first one is heard
  unsigned stop_delay;                 // frames that are still heard after a stop
  unsigned absent;                     // the errno of every opening; 0: it can be opened
  paced_rewinding rewinding;
  bool refuses_rewind;  // what is rewound is an underrun
  paced_delay delay;
  char name[32];   // its driver's, in place of that by which it is opened
  bool is_server;  // the plug-in of a sound server, which says nothing of how its position moves
  bool pauses;
  bool waits;  // never runs dry by itself: its clock stands while one frame is left
  double speed;
} paced_traits;

/// NULL without memory.
paced_card *paced_new(void);

/// Only after every PCM that was opened on it is closed.
void paced_free(paced_card *card);

/// May be changed between openings.
paced_traits *paced_traits_of(paced_card *card);

/// Opens it for playback or capture; one opening at a time (EBUSY). 0 or a negative errno.
int paced_open(paced_card *card, snd_pcm_t **pcm, snd_pcm_stream_t stream);

/// One line as in a file of faults (see faults.c). 0 or a negative errno.
int paced_command(paced_card *card, const char *line);

/// Moves the clock to this many nanoseconds.
void paced_set_time(paced_card *card, int64_t nanoseconds);

/// Plays `frames` queued frames at once if it is running; it ran dry when no more were there. Answers how many were
/// heard.
size_t paced_play(paced_card *card, size_t frames);

/// Puts `frames` frames of the device's format into a running capture device; it ran over when not all fit. Answers
/// how many did.
size_t paced_hear(paced_card *card, const void *samples, size_t frames);

/// Makes its poll descriptor readable, whatever the buffer says.
void paced_wake(paced_card *card);

/// All bytes that were heard since it was made.
const uint8_t *paced_heard(const paced_card *card, size_t *bytes);

/// The lines of its log since then (see plugin.c), not ended by a zero.
const char *paced_told(const paced_card *card, size_t *bytes);

typedef struct {
  int openings, closings, resumptions, underruns, rewinds;
  /// Openings that were refused.
  int refusals;
  /// Calls of libasound in all: what a program that spins drives up.
  int calls;
  /// Frames heard.
  uint64_t played;
} paced_counts;

paced_counts paced_counts_of(const paced_card *card);
