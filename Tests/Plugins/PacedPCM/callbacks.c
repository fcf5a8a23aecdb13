// What libasound asks of a card that is open.
#include "card.h"
#include "info.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static paced_card *card_of(snd_pcm_ioplug_t *io) {
  paced_card *card = io->private_data;
  card->counts.calls += 1;
  return card;
}

static bool is_capture(const snd_pcm_ioplug_t *io) { return io->stream == SND_PCM_STREAM_CAPTURE; }

static int start(snd_pcm_ioplug_t *io) {
  paced_card *card = card_of(io);
  card_follow(card);
  card_advance(card);
  if (card->faults.is_gone) return -ENODEV;
  if (is_capture(io)) return 0;
  if (card->end == card->passed && card->stop_threshold <= io->buffer_size) return -EPIPE;  // as the kernel
  card_begin(card);
  journal_tell(card, card_now(card), "start", "queued=%lld ", (long long)card->end);
  card_advance(card);
  card_arm(card);
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  paced_card *card = card_of(io);
  card_follow(card);
  if (card->is_moving) card_play_on(card, card->traits.stop_delay);
  card_stand(card);
  card->is_draining = false;
  // It is stopped once more when it is closed.
  if (io->state != SND_PCM_STATE_SETUP) {
    journal_tell(card, card_now(card), "stop", "lost=%lld ", (long long)(card->end - card->passed));
  }
  card_arm(card);
  return 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
  paced_card *card = card_of(io);
  if (io->state == SND_PCM_STATE_RUNNING) return -EBUSY;  // as the kernel
  card_stand(card);
  if (card->faults.is_gone) return -ENODEV;
  card->passed = card->end = card->told = 0;
  card->is_dry = card->is_draining = false;
  journal_tell(card, card_now(card), "prepare", NULL);
  // An empty buffer wants frames, also where a program polls before it has asked anything. Not through `card_arm`: the
  // state is not yet what this makes it.
  card->armed = 0;
  if (!card->is_by_hand && !is_capture(io)) paced_wake(card);
  return 0;
}

// As most drivers: it goes on where it was.
static int resume(snd_pcm_ioplug_t *io) {
  paced_card *card = card_of(io);
  card->counts.resumptions += 1;
  if (!is_capture(io)) card_begin(card);
  journal_tell(card, card_now(card), "resume", NULL);
  return snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
}

static int pause_device(snd_pcm_ioplug_t *io, int enable) {
  paced_card *card = card_of(io);
  if (!card->traits.pauses) return -ENOSYS;
  if (enable) {
    card_follow(card);
    card_stand(card);
  } else {
    card_begin(card);
  }
  journal_tell(card, card_now(card), enable ? "pause" : "resume", NULL);
  card_arm(card);
  return 0;
}

static void notice_drain(paced_card *card) {
  if (card->is_draining || card->io.state != SND_PCM_STATE_DRAINING) return;
  card->is_draining = true;
  journal_tell(card, card_now(card), "drain", "queued=%lld ", (long long)(card->end - card->passed));
}

static void look(paced_card *card) {
  card_follow(card);
  notice_drain(card);
  card_advance(card);
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  paced_card *card = card_of(io);
  look(card);
  card_arm(card);
  // A capture device stops here; playback has stopped already (card_run_dry), and still says where, as the kernel.
  if (card->is_dry && is_capture(io)) return -EPIPE;
  int64_t now = card_position(card);
  if (now > card->told) card->told = now;
  return card->told;
}

static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  paced_card *card = card_of(io);
  look(card);
  int64_t queued = is_capture(io) ? card->passed - card->end : card_delay(card);
  // As the kernel: 0 unless it plays.
  bool plays = io->state == SND_PCM_STATE_RUNNING || io->state == SND_PCM_STATE_DRAINING
      || io->state == SND_PCM_STATE_PAUSED;
  *frames = plays && queued > 0 ? queued : 0;
  return 0;
}

static int hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *parameters) {
  paced_card *card = card_of(io);
  // A driver says that its position moves in steps.
  bool is_stepped = card_step(card) > (int64_t)io->rate / 1000;
  if (!card->traits.is_server && card->traits.rewinding == PACED_REWINDS) info_tell(parameters, is_stepped);
  poll(NULL, 0, (int)card->faults.slow);
  int bits = snd_pcm_format_physical_width(io->format);
  if (bits < 8) return -EINVAL;
  card->frame_bytes = (size_t)bits / 8 * io->channels;
  card->ring_frames = (int64_t)io->buffer_size + (is_capture(io) ? 0 : card_behind(card));
  free(card->ring);
  card->ring = calloc((size_t)card->ring_frames, card->frame_bytes);
  if (card->ring == NULL) return -ENOMEM;
  // Without a function, libasound would pause by itself and succeed; with one, it would have told that it can.
  card->callbacks.pause = pause_device;
  journal_tell(
      card, card_now(card), "configure", "rate=%u channels=%u format=%s buffer=%lu period=%lu latency=%u speed=%g ",
      io->rate, io->channels, snd_pcm_format_name(io->format), io->buffer_size, io->period_size,
      card->traits.latency + card->traits.start_delay, card->traits.speed);
  return 0;
}

static int sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  paced_card *card = card_of(io);
  int result = snd_pcm_sw_params_get_avail_min(parameters, &card->avail_min);
  if (result < 0) return result;
  return snd_pcm_sw_params_get_stop_threshold(parameters, &card->stop_threshold);
}

static int revents(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned count, unsigned short *meaning) {
  paced_card *card = card_of(io);
  uint64_t expirations;
  *meaning = 0;
  if (count < 1 || !(entries[0].revents & POLLIN)) return 0;
  if (read(card->timer, &expirations, sizeof expirations) < 0 && errno != EAGAIN) return -errno;
  card->armed = 0;
  look(card);
  unsigned short ready = is_capture(io) ? POLLIN : POLLOUT;
  if (card->is_dry || io->state == SND_PCM_STATE_SUSPENDED || io->state == SND_PCM_STATE_DISCONNECTED) {
    *meaning = ready | POLLERR;
  } else if (card_has_work(card)) {
    *meaning = ready;
  }
  if (!card->is_by_hand) card_arm(card);
  return 0;
}

static int close_device(snd_pcm_ioplug_t *io) {
  paced_card *card = card_of(io);
  card->counts.closings += 1;
  card->is_open = card->is_moving = card->is_dry = card->is_draining = false;
  journal_tell(card, card_now(card), "close", NULL);
  close(card->timer);
  close(card->poll_set);
  free(card->ring);
  card->ring = NULL;
  return 0;
}

const snd_pcm_ioplug_callback_t card_callbacks = {
    .start = start,
    .stop = stop,
    .prepare = prepare,
    .pause = pause_device,
    .resume = resume,
    .pointer = pointer,
    .transfer = card_transfer,
    .delay = delay,
    .hw_params = hw_params,
    .sw_params = sw_params,
    .poll_revents = revents,
    .close = close_device,
};
