#pragma once
// Inside of the paced PCM: the card, and what its parts do for each other.
#include "PacedPCM.h"
#include "traits.h"

#include <alsa/pcm_external.h>

enum { FAULTS_MOST = 64, COMMAND_LENGTH = 128 };

typedef enum {
  FAULT_UNDERRUN,
  FAULT_SUSPEND,
  FAULT_HALT,
  FAULT_UNPLUG,
  FAULT_STALL,
} fault_kind;

/// A mishap at a position: once `at` frames were heard since the first opening (`counts.played`).
typedef struct {
  fault_kind kind;
  uint64_t at;
  uint64_t frames;
} paced_fault;

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
} paced_memory;

/// Takes what was heard and what happened: files, or memory for tests in the same process.
typedef struct {
  int file, log;  // -1: none
  bool remembers;
  paced_memory heard, told;
} paced_journal;

typedef struct {
  int file;  // -1: none
  char line[COMMAND_LENGTH];
  size_t length;
  paced_fault pending[FAULTS_MOST];
  size_t count;
  unsigned busy;   // openings that will be refused
  unsigned slow;   // milliseconds that configuring it takes
  unsigned short_write;  // frames taken at most in a call; 0: no limit
  bool is_gone;
} paced_faults;

struct paced_card {
  snd_pcm_ioplug_t io;
  snd_pcm_ioplug_callback_t callbacks;
  paced_traits traits;  // of what is open
  paced_traits wanted;  // of the next opening
  paced_journal journal;
  paced_faults faults;
  paced_counts counts;
  bool is_open;
  int poll_set;  // epoll: the timer, and the faults where they come through a pipe

  // The clock.
  bool is_by_hand;
  int64_t hand;    // nanoseconds
  int clock_file;  // that tells them, by hand too; -1: none
  int64_t armed;
  int timer;

  // The position. Frames count from the last prepare, like ALSA's pointers.
  bool is_moving, is_dry, is_draining;
  int64_t base;        // frames that had left the buffer when the clock stood at `since`
  int64_t since;       // frames of the clock
  int64_t passed;      // frames that have left the buffer
  int64_t end;         // behind the last frame in the buffer
  int64_t told;        // position that libasound was told last
  int64_t stalled_for;  // frames of the clock that are to pass before it moves again; -1: none, 0: for good
  uint8_t *ring;
  int64_t ring_frames;
  size_t frame_bytes;
  snd_pcm_uframes_t avail_min, stop_threshold;
};

// position.c
int64_t card_now(const paced_card *card);
int64_t card_clock_frames(const paced_card *card, int64_t nanoseconds);
/// When the clock comes to this many frames, nanoseconds.
int64_t card_moment(const paced_card *card, int64_t frames);
int64_t card_heard(const paced_card *card);
/// Plays all that is due.
void card_advance(paced_card *card);
/// Lets the position move from where it is.
void card_go(paced_card *card);
/// The same as a device does, which fetches frames ahead and may take its time.
void card_begin(paced_card *card);
/// Plays this many frames more of those that are queued, at once.
void card_play_on(paced_card *card, int64_t frames);
/// Frames between leaving the buffer and being heard.
int64_t card_behind(const paced_card *card);
/// How far libasound is to believe that frames have left its buffer.
int64_t card_position(const paced_card *card);
/// By how many frames the position moves at once.
int64_t card_step(const paced_card *card);
/// Frames until the last one that is queued is heard, as the device reports them.
int64_t card_delay(const paced_card *card);
/// Keeps it where it is.
void card_stand(paced_card *card);
/// Notes what the program did to the end of the buffer meanwhile.
void card_follow(paced_card *card);
/// It ran out of frames.
void card_run_dry(paced_card *card);
/// When the position came to where it is.
int64_t card_position_moment(const paced_card *card);
bool card_has_work(const paced_card *card);
/// Makes the poll descriptor ready when there is work.
void card_arm(paced_card *card);

// transfer.c
snd_pcm_sframes_t card_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size);
void card_emit(paced_card *card, int64_t from, int64_t frames);

// faults.c
/// Reads what has come in since.
void faults_read(paced_card *card);
int faults_obey(paced_card *card, const char *line);
/// The pending mishap that comes first; NULL: none.
paced_fault *faults_next(paced_card *card);
void faults_strike(paced_card *card, paced_fault *fault);

// journal.c
void journal_keep(paced_card *card, const uint8_t *bytes, size_t count);
/// One line: `nanoseconds` of the card's clock, event, and `played=` behind what `format` says.
void journal_tell(paced_card *card, int64_t nanoseconds, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// open.c
paced_card *card_make(void);
int card_open(paced_card *card, snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode);

// callbacks.c
extern const snd_pcm_ioplug_callback_t card_callbacks;
