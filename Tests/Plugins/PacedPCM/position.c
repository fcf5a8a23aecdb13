// Where a card is: computed from the clock whenever someone asks. No thread, so that every wake-up of the program that
// plays is its own.
#include "card.h"

#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;

static int64_t told_by(int file) {
  char text[32] = "";
  if (pread(file, text, sizeof text - 1, 0) < 0) return 0;
  return strtoll(text, NULL, 10);
}

int64_t card_now(const paced_card *card) {
  if (card->clock_file >= 0) return told_by(card->clock_file);
  if (card->is_by_hand) return card->hand;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second + now.tv_nsec;
}

int64_t card_clock_frames(const paced_card *card, int64_t nanoseconds) {
  int64_t rate = card->io.rate;
  if (card->traits.speed != 1) nanoseconds = (int64_t)((double)nanoseconds * card->traits.speed);
  return nanoseconds / second * rate + nanoseconds % second * rate / second;
}

int64_t card_moment(const paced_card *card, int64_t frames) {
  int64_t rate = card->io.rate;
  int64_t nanoseconds = frames / rate * second + (frames % rate * second + rate - 1) / rate;
  return card->traits.speed == 1 ? nanoseconds : (int64_t)((double)nanoseconds / card->traits.speed);
}

int64_t card_heard(const paced_card *card) {
  int64_t heard = card->passed - (int64_t)card->traits.latency;
  return heard > 0 ? heard : 0;
}

void card_go(paced_card *card) {
  card->base = card->passed;
  card->since = card_clock_frames(card, card_now(card));
  card->is_moving = true;
}

void card_stand(paced_card *card) {
  card_advance(card);
  card->is_moving = false;
  card->stalled_for = -1;
}

/// When the frame that leaves the buffer as the `index`th since the last prepare does.
static int64_t moment_of(const paced_card *card, int64_t index) {
  return card_moment(card, card->since + (index - card->base));
}

/// A program that never wants it to stop has what is in the buffer played again and again.
static bool stops_when_dry(const paced_card *card) {
  return card->stop_threshold <= card->io.buffer_size && card->io.stream == SND_PCM_STREAM_PLAYBACK;
}

/// Lets frames leave the buffer up to the `index`th, and what comes out behind the latency be heard.
static void play_up_to(paced_card *card, int64_t index) {
  // What was taken back after it was played was taken back too late.
  if (index <= card->passed) return;
  int64_t heard = card_heard(card);
  card->passed = index;
  int64_t frames = card_heard(card) - heard;
  if (frames <= 0) return;
  card_emit(card, heard, frames);
  card->counts.played += (uint64_t)frames;
}

int64_t card_position_moment(const paced_card *card) {
  return card->is_moving && card->stalled_for < 0 ? moment_of(card, card->passed) : card_now(card);
}

void card_run_dry(paced_card *card) {
  int64_t moment = card_position_moment(card);
  card->is_moving = false;
  card->is_dry = true;
  snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
  card->counts.underruns += 1;
  journal_tell(card, moment, "underrun", NULL);
}

/// Where time has brought the position, were there no end of what is queued.
static int64_t due(paced_card *card) {
  int64_t now = card_clock_frames(card, card_now(card));
  if (card->stalled_for == 0) return card->passed;
  if (card->stalled_for > 0) {
    int64_t until = card->since + (card->passed - card->base) + card->stalled_for;
    if (now < until) return card->passed;
    card->since += card->stalled_for;
    card->stalled_for = -1;
  }
  return card->base + (now - card->since);
}

/// The end of what can be played: of what is queued, and while it drains of what is behind the buffer too.
static int64_t limit(const paced_card *card) {
  return card->is_draining ? card->end + (int64_t)card->traits.latency : card->end;
}

/// The position at which a mishap comes.
static int64_t place_of(const paced_card *card, const paced_fault *fault) {
  int64_t left = (int64_t)(fault->at - card->counts.played);
  return left <= 0 ? card->passed : card_heard(card) + left + (int64_t)card->traits.latency;
}

static void play_until_now(paced_card *card) {
  while (card->is_moving) {
    int64_t target = due(card);
    bool is_dry = stops_when_dry(card) && target >= limit(card);
    if (is_dry) target = limit(card);
    paced_fault *fault = faults_next(card);
    if (fault == NULL) {
      play_up_to(card, target);
      if (is_dry && !card->is_draining) card_run_dry(card);
      return;
    }
    int64_t at = place_of(card, fault);
    play_up_to(card, at < target ? at : target);
    if (at <= target) {
      faults_strike(card, fault);
    } else {
      if (is_dry && !card->is_draining) card_run_dry(card);
      return;
    }
  }
}

void card_advance(paced_card *card) {
  play_until_now(card);
  faults_read(card);
}

void card_follow(paced_card *card) {
  if (card->traits.rewinding == PACED_PRETENDS) return;
  int64_t end = (int64_t)card->io.appl_ptr;
  bool is_rewound = card->io.stream == SND_PCM_STREAM_PLAYBACK && end < card->end;
  if (is_rewound) {
    card->counts.rewinds += 1;
    journal_tell(card, card_now(card), "rewind", "frames=%lld ", (long long)(card->end - end));
  }
  card->end = end;
  bool is_ready = card->io.state == SND_PCM_STATE_RUNNING || card->io.state == SND_PCM_STATE_PREPARED;
  if (is_rewound && card->traits.refuses_rewind && is_ready) card_run_dry(card);
}

static int64_t room(const paced_card *card) { return (int64_t)card->io.buffer_size - (card->end - card->passed); }

bool card_has_work(const paced_card *card) {
  if (card->io.stream == SND_PCM_STREAM_CAPTURE) return card->passed - card->end >= (int64_t)card->avail_min;
  if (card->is_draining) return card->passed >= limit(card);
  return room(card) >= (int64_t)card->avail_min;
}

/// When there will be work, as a driver would tell at the end of a period, or a mishap; 0: not by itself.
static int64_t work_moment(paced_card *card) {
  if (!card->is_moving || card->is_by_hand || card->stalled_for == 0) return 0;
  int64_t period = (int64_t)card->io.period_size;
  int64_t index = card->end - (int64_t)card->io.buffer_size + (int64_t)card->avail_min;
  index = (index + period - 1) / period * period;
  if (index > card->end || card->is_draining) index = limit(card);
  const paced_fault *fault = faults_next(card);
  if (fault != NULL && place_of(card, fault) < index) index = place_of(card, fault);
  return moment_of(card, index + (card->stalled_for > 0 ? card->stalled_for : 0));
}

void card_arm(paced_card *card) {
  bool is_lost = card->io.state != SND_PCM_STATE_RUNNING && card->io.state != SND_PCM_STATE_PREPARED
      && card->io.state != SND_PCM_STATE_DRAINING && card->io.state != SND_PCM_STATE_PAUSED;
  int64_t moment = is_lost || card->is_dry || card_has_work(card) ? 1 : work_moment(card);
  if (moment == card->armed && moment != 1) return;
  card->armed = moment;
  struct itimerspec time = {.it_value = {.tv_sec = moment / second, .tv_nsec = moment % second}};
  timerfd_settime(card->timer, TFD_TIMER_ABSTIME, &time, NULL);
}
