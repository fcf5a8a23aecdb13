// Makes cards and opens them.
#include "card.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

paced_card *card_make(void) {
  paced_card *card = calloc(1, sizeof *card);
  if (card == NULL) return NULL;
  card->traits = card->wanted = usual_traits;
  card->journal.file = card->journal.log = card->faults.file = card->clock_file = -1;
  card->io.rate = 1;
  card->stalled_for = -1;
  return card;
}

paced_card *paced_new(void) {
  paced_card *card = card_make();
  if (card == NULL) return NULL;
  card->is_by_hand = true;
  card->journal.remembers = true;
  return card;
}

void paced_free(paced_card *card) {
  if (card == NULL) return;
  free(card->journal.heard.bytes);
  free(card->journal.told.bytes);
  free(card);
}

paced_traits *paced_traits_of(paced_card *card) { return &card->wanted; }

paced_counts paced_counts_of(const paced_card *card) { return card->counts; }

/// The descriptor that programs poll is ready when the timer or a command is. 0 or a negative errno.
static int make_poll_set(paced_card *card) {
  card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (card->timer < 0) return -errno;
  card->poll_set = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  if (card->poll_set < 0 || epoll_ctl(card->poll_set, EPOLL_CTL_ADD, card->timer, &event) < 0) {
    int result = -errno;
    if (card->poll_set >= 0) close(card->poll_set);
    close(card->timer);
    return result;
  }
  // A plain file cannot be waited for (EPERM): it is read whenever somebody asks.
  if (card->faults.file >= 0) (void)epoll_ctl(card->poll_set, EPOLL_CTL_ADD, card->faults.file, &event);
  return 0;
}

static int set_parameters(paced_card *card) {
  // A server's plug-in has no memory to show.
  static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
  static const unsigned any[] = {SND_PCM_FORMAT_S16, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_FLOAT};
  const paced_traits *traits = &card->traits;
  const unsigned one[] = {(unsigned)traits->format};
  bool is_any = traits->format == SND_PCM_FORMAT_UNKNOWN;
  struct {
    int parameter;
    unsigned least, most;
  } ranges[] = {
      {SND_PCM_IOPLUG_HW_CHANNELS, traits->least_channels, traits->most_channels},
      {SND_PCM_IOPLUG_HW_RATE, traits->least_rate, traits->most_rate},
      {SND_PCM_IOPLUG_HW_BUFFER_BYTES, traits->least_buffer, traits->most_buffer},
      {SND_PCM_IOPLUG_HW_PERIOD_BYTES, traits->least_period, 1 << 18},
      {SND_PCM_IOPLUG_HW_PERIODS, 2, 64},
  };
  snd_pcm_ioplug_t *io = &card->io;
  unsigned kinds = traits->rewinding == PACED_PRETENDS ? 1 : 2;
  int result = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, kinds, accesses);
  if (result >= 0) {
    result = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, is_any ? 3 : 1, is_any ? any : one);
  }
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && result >= 0; i++) {
    result = snd_pcm_ioplug_set_param_minmax(io, ranges[i].parameter, ranges[i].least, ranges[i].most);
  }
  return result;
}

static int refuse(paced_card *card, int result, const char *reason) {
  card->counts.refusals += 1;
  journal_tell(card, card_now(card), "refused", "reason=%s ", reason);
  return result;
}

/// Makes its PCM. 0 or a negative errno.
static int create(paced_card *card, const char *name, snd_pcm_stream_t stream, int mode) {
  card->traits = card->wanted;
  card->callbacks = card_callbacks;
  if (!card->traits.pauses) card->callbacks.pause = NULL;
  card->io = (snd_pcm_ioplug_t){
      .version = SND_PCM_IOPLUG_VERSION,
      .name = "paced",
      .flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA,
      .callback = &card->callbacks,
      .private_data = card,
      .poll_fd = card->poll_set,
      .poll_events = POLLIN,
      .rate = 1,
  };
  const char *shown = card->traits.name[0] != 0 ? card->traits.name : name;
  int result = snd_pcm_ioplug_create(&card->io, shown, stream, mode);
  if (result < 0) {
    close(card->timer);
    close(card->poll_set);
    return result;
  }
  card->is_open = true;
  card->armed = card->passed = card->end = card->told = 0;
  card->stalled_for = -1;
  result = set_parameters(card);
  // Closes the rest, too.
  if (result < 0) snd_pcm_ioplug_delete(&card->io);
  return result;
}

int card_open(paced_card *card, snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode) {
  if (!card->is_open) faults_read(card);
  if (card->faults.is_gone) return refuse(card, -ENODEV, "gone");
  if (card->wanted.absent > 0) return refuse(card, -(int)card->wanted.absent, "absent");
  if (card->is_open) return refuse(card, -EBUSY, "busy");
  if (card->faults.busy > 0) {
    card->faults.busy -= 1;
    return refuse(card, -EBUSY, "busy");
  }
  int result = make_poll_set(card);
  if (result == 0) result = create(card, name, stream, mode);
  if (result < 0) return result;
  card->counts.openings += 1;
  journal_tell(card, card_now(card), "open", NULL);
  *pcm = card->io.pcm;
  return 0;
}

int paced_open(paced_card *card, snd_pcm_t **pcm, snd_pcm_stream_t stream) {
  return card_open(card, pcm, "paced", stream, SND_PCM_NONBLOCK);
}

void paced_set_time(paced_card *card, int64_t nanoseconds) {
  card->hand = nanoseconds;
  if (!card->is_open) return;
  card_follow(card);
  card_advance(card);
  card_arm(card);
}

size_t paced_play(paced_card *card, size_t frames) {
  if (!card->is_open || card->io.state != SND_PCM_STATE_RUNNING) return 0;
  uint64_t before = card->counts.played;
  card_follow(card);
  card->base += (int64_t)frames;
  card_advance(card);
  card_arm(card);
  return (size_t)(card->counts.played - before);
}

void paced_wake(paced_card *card) {
  const struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
  timerfd_settime(card->timer, TFD_TIMER_ABSTIME, &soon, NULL);
}
