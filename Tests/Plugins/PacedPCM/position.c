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
  int64_t heard = card->passed - card_behind(card);
  return heard > 0 ? heard : 0;
}

int64_t card_behind(const paced_card *card) { return (int64_t)card->traits.latency + card->traits.in_flight; }

void card_go(paced_card *card) {
  card->base = card->passed;
  card->since = card_clock_frames(card, card_now(card));
  card->is_moving = true;
}

void card_begin(paced_card *card) {
  card_go(card);
  if (card->passed == 0) card->base += card->traits.in_flight;
  card->since += card->traits.start_delay;
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

int64_t card_step(const paced_card *card) {
  if (card->traits.position_step == PACED_STEP_OF_A_PERIOD) return (int64_t)card->io.period_size;
  return card->traits.position_step > 1 ? card->traits.position_step : 1;
}

/// A program that never wants it to stop has what is in the buffer played again and again.
static bool stops_when_dry(const paced_card *card) {
  return card->stop_threshold <= card->io.buffer_size && card->io.stream == SND_PCM_STREAM_PLAYBACK;
}

int64_t card_position(const paced_card *card) {
  if (card->io.stream == SND_PCM_STREAM_CAPTURE) return card->passed;
  switch (card->traits.rewinding) {
    case PACED_REWINDS: break;
    case PACED_KEEPS: return card->is_moving ? card->end : card->told;
    case PACED_PRETENDS: return (int64_t)card->io.appl_ptr - (card->end - card->passed);
  }
  int64_t now = card->passed < card->end ? card->passed - card->passed % card_step(card) : card->passed;
  // libasound stops it when the buffer is empty. What drains or is in flight has left the buffer only when it is heard.
  bool is_heard = card->is_dry || card->passed >= card->end + card_behind(card);
  bool is_held = card->is_draining || (card->traits.in_flight > 0 && stops_when_dry(card));
  int64_t last = is_held ? card->end - (is_heard ? 0 : 1) : now;
  return now < last ? now : last;
}

/// How many frames are due since the position that libasound was told last, also while the device stands.
static int64_t due_since_told(const paced_card *card) {
  if (!card->is_moving) return card->passed - card->told;
  int64_t frames = card->base + card_clock_frames(card, card_now(card)) - card->since - card->told;
  return frames > 0 ? frames : 0;
}

/// As many as have passed in whole milliseconds, and no more than are in flight.
static int64_t counted_since_told(const paced_card *card) {
  int64_t rate = card->io.rate;
  int64_t counted = due_since_told(card) * 1000 / rate * rate / 1000;
  return counted < card->traits.in_flight ? counted : (int64_t)card->traits.in_flight;
}

int64_t card_delay(const paced_card *card) {
  int64_t now = card->passed;
  // The kernel reads position and delay at one moment; here, some time may pass between the two.
  switch (card->traits.delay) {
    case PACED_DELAY_EXACT: break;
    case PACED_DELAY_STEPPED: now = card->told; break;
    case PACED_DELAY_GUESSED: now = card->told + due_since_told(card); break;
    case PACED_DELAY_COUNTED: now = card->told + counted_since_told(card);
  }
  // Nothing is heard before the first frame.
  if (now < card->traits.in_flight) now = card->traits.in_flight;
  return card->end - now + card_behind(card);
}

/// Lets frames leave the buffer up to the `index`th, and what comes out behind the latency be heard.
static void play_up_to(paced_card *card, int64_t index) {
  // Frames that were rewound after they had been played were rewound too late.
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

/// The end of what can be played: of what is queued and what is in flight, and while it drains of all that is behind the
/// buffer.
static int64_t limit(const paced_card *card) {
  return card->end + (card->is_draining ? card_behind(card) : (int64_t)card->traits.in_flight);
}

void card_play_on(paced_card *card, int64_t frames) {
  card_advance(card);
  int64_t target = card->passed + frames;
  play_up_to(card, target < limit(card) ? target : limit(card));
}

/// The position at which a mishap comes.
static int64_t place_of(const paced_card *card, const paced_fault *fault) {
  int64_t left = (int64_t)(fault->at - card->counts.played);
  return left <= 0 ? card->passed : card_heard(card) + left + card_behind(card);
}

/// Makes a card that waits stand for as long as nothing is left but one frame. libasound would stop an empty one.
static int64_t hold_back(paced_card *card, int64_t target) {
  int64_t last = limit(card) - 1;
  if (!card->traits.waits || card->is_draining || !stops_when_dry(card) || target <= last) return target;
  if (last < card->passed) last = card->passed;
  card->since += target - last;
  return last;
}

static void play_until_now(paced_card *card) {
  while (card->is_moving) {
    int64_t target = hold_back(card, due(card));
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
  bool is_ready = card->io.state == SND_PCM_STATE_RUNNING || card->io.state == SND_PCM_STATE_PREPARED;
  if (is_rewound && card->traits.refuses_rewind && is_ready) {
    // The kernel stops it, which takes the device as long as any stop.
    if (card->is_moving) card_play_on(card, card->traits.stop_delay);
    card_run_dry(card);
  }
  card->end = end;
}

/// What a program finds free.
static int64_t room(const paced_card *card) {
  int64_t position = card->traits.rewinding == PACED_REWINDS ? card_position(card) : card->passed;
  return (int64_t)card->io.buffer_size - (card->end - position);
}

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
  // First to where the position shows it, then to the interrupt.
  int64_t step = card_step(card);
  index = (index + step - 1) / step * step;
  index = (index + period - 1) / period * period;
  if (index >= card->end || card->is_draining) index = limit(card);
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
