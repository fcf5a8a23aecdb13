#include "CommandedPCM.h"

#include <alsa/pcm_external.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct commanded_pcm {
  snd_pcm_ioplug_t io;
  size_t played;  // frames since prepare; captured ones where it captures
  int dry;
  snd_pcm_uframes_t avail_min;
  int closings;
  int resumptions;
  uint8_t *heard;
  size_t heard_bytes;
};

static size_t queued(const commanded_pcm *device) { return device->io.appl_ptr - device->played; }

static size_t waiting(const commanded_pcm *device) { return device->played - device->io.appl_ptr; }

static int has_work(const commanded_pcm *device) {
  if (device->io.stream == SND_PCM_STREAM_CAPTURE) return waiting(device) >= device->avail_min;
  return device->io.buffer_size - queued(device) >= device->avail_min;
}

static int start(snd_pcm_ioplug_t *io) { return (void)io, 0; }

static int stop(snd_pcm_ioplug_t *io) { return (void)io, 0; }

// As most drivers: it goes on where it was.
static int resume(snd_pcm_ioplug_t *io) {
  commanded_pcm *device = io->private_data;
  device->resumptions += 1;
  return snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
}

static int prepare(snd_pcm_ioplug_t *io) {
  commanded_pcm *device = io->private_data;
  if (io->state == SND_PCM_STATE_RUNNING) return -EBUSY;  // as the kernel
  device->played = 0;
  device->dry = 0;
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  commanded_pcm *device = io->private_data;
  if (device->dry) return -EPIPE;
  return device->played % io->buffer_size;
}

// As the kernel has it in a status: 0 unless it plays.
static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  *frames = io->state != SND_PCM_STATE_RUNNING        ? 0
            : io->stream == SND_PCM_STREAM_CAPTURE ? waiting(io->private_data)
                                                   : queued(io->private_data);
  return 0;
}

static int sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  commanded_pcm *device = io->private_data;
  return snd_pcm_sw_params_get_avail_min(parameters, &device->avail_min);
}

static int revents(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned count, unsigned short *meaning) {
  commanded_pcm *device = io->private_data;
  uint64_t events;
  (void)count;
  *meaning = 0;
  if (!(entries[0].revents & POLLIN)) return 0;
  if (read(io->poll_fd, &events, sizeof events) < 0) return -errno;
  if (has_work(device)) *meaning = io->stream == SND_PCM_STREAM_CAPTURE ? POLLIN : POLLOUT;
  return 0;
}

static int close_device(snd_pcm_ioplug_t *io) {
  commanded_pcm *device = io->private_data;
  device->closings += 1;
  return close(io->poll_fd);
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .prepare = prepare,
    .resume = resume,
    .pointer = pointer,
    .delay = delay,
    .sw_params = sw_params,
    .poll_revents = revents,
    .close = close_device,
};

commanded_pcm *commanded_new(void) { return calloc(1, sizeof(commanded_pcm)); }

void commanded_free(commanded_pcm *device) {
  free(device->heard);
  free(device);
}

int commanded_open(
    commanded_pcm *device, snd_pcm_t **pcm, snd_pcm_stream_t stream, snd_pcm_format_t format, unsigned channels) {
  static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
  const unsigned formats[] = {(unsigned)format};
  snd_pcm_ioplug_t *io = &device->io;
  io->version = SND_PCM_IOPLUG_VERSION;
  io->name = "plays on command";
  io->mmap_rw = 1;
  io->callback = &callbacks;
  io->private_data = device;
  io->poll_events = POLLIN;
  io->poll_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (io->poll_fd < 0) return -errno;
  int result = snd_pcm_ioplug_create(io, "commanded", stream, SND_PCM_NONBLOCK);
  if (result < 0) {
    close(io->poll_fd);
    return result;
  }
  snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
  snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 1, channels);
  snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, 8000, 192000);
  snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1024, 1 << 20);
  snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 1 << 18);
  snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
  *pcm = io->pcm;
  return 0;
}

size_t commanded_play(commanded_pcm *device, size_t frames) {
  snd_pcm_ioplug_t *io = &device->io;
  if (io->state != SND_PCM_STATE_RUNNING) return 0;
  const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas(io);
  size_t frame = areas[0].step / 8;
  size_t count = frames;
  if (count > queued(device)) {
    count = queued(device);
    device->dry = 1;
  }
  uint8_t *heard = realloc(device->heard, device->heard_bytes + count * frame + 1);
  if (heard == NULL) abort();
  device->heard = heard;
  for (size_t i = 0; i < count; i++, device->played++) {
    const uint8_t *source = (const uint8_t *)areas[0].addr + device->played % io->buffer_size * frame;
    memcpy(heard + device->heard_bytes, source, frame);
    device->heard_bytes += frame;
  }
  return count;
}

size_t commanded_capture(commanded_pcm *device, const void *samples, size_t frames) {
  snd_pcm_ioplug_t *io = &device->io;
  if (io->state != SND_PCM_STATE_RUNNING) return 0;
  const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas(io);
  size_t frame = areas[0].step / 8;
  for (size_t i = 0; i < frames; i++, device->played++) {
    if (waiting(device) >= io->buffer_size) {
      device->dry = 1;
      return i;
    }
    uint8_t *target = (uint8_t *)areas[0].addr + device->played % io->buffer_size * frame;
    memcpy(target, (const uint8_t *)samples + i * frame, frame);
  }
  return frames;
}

void commanded_set_state(commanded_pcm *device, snd_pcm_state_t state) {
  snd_pcm_ioplug_set_state(&device->io, state);
}

void commanded_wake(commanded_pcm *device) {
  const uint64_t one = 1;
  if (write(device->io.poll_fd, &one, sizeof one) < 0) abort();
}

const uint8_t *commanded_heard(const commanded_pcm *device, size_t *bytes) {
  *bytes = device->heard_bytes;
  return device->heard;
}

int commanded_closings(const commanded_pcm *device) { return device->closings; }

int commanded_resumptions(const commanded_pcm *device) { return device->resumptions; }
