// Frames in and out of a card's own memory. libasound hands them over at every write, which is what lets a write be
// short; they are placed where its pointer stands, so that a rewind is one.
#include "card.h"

#include <errno.h>
#include <string.h>

typedef enum { INTO_RING, OUT_OF_RING } direction;

static void copy(paced_card *card, uint8_t *samples, int64_t index, size_t frames, direction where) {
  while (frames > 0) {
    int64_t place = index % card->ring_frames;
    size_t run = (size_t)(card->ring_frames - place);
    if (run > frames) run = frames;
    uint8_t *ring = card->ring + (size_t)place * card->frame_bytes;
    if (where == INTO_RING) {
      memcpy(ring, samples, run * card->frame_bytes);
    } else {
      memcpy(samples, ring, run * card->frame_bytes);
    }
    samples += run * card->frame_bytes;
    index += (int64_t)run;
    frames -= run;
  }
}

void card_emit(paced_card *card, int64_t from, int64_t frames) {
  while (frames > 0) {
    int64_t place = from % card->ring_frames;
    int64_t run = card->ring_frames - place;
    if (run > frames) run = frames;
    journal_keep(card, card->ring + (size_t)place * card->frame_bytes, (size_t)run * card->frame_bytes);
    from += run;
    frames -= run;
  }
}

/// How many of `size` frames are taken now; 0: none.
static size_t taken(const paced_card *card, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  int64_t room = (int64_t)card->io.buffer_size - (card->end - card->passed);
  if (room <= 0) return 0;
  size_t frames = size < (size_t)room ? size : (size_t)room;
  if (card->faults.short_write == 0) return frames;
  // libasound comes again with the rest of the same write, from where it left off.
  if (offset > 0) return 0;
  return frames < card->faults.short_write ? frames : card->faults.short_write;
}

snd_pcm_sframes_t card_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  paced_card *card = io->private_data;
  uint8_t *samples = (uint8_t *)areas[0].addr + areas[0].first / 8 + offset * card->frame_bytes;
  card->counts.calls += 1;
  card_advance(card);
  if (card->faults.is_gone) return -ENODEV;
  card_follow(card);
  if (io->stream == SND_PCM_STREAM_CAPTURE) {
    copy(card, samples, card->end, size, OUT_OF_RING);
    card->end += (int64_t)size;
    return (snd_pcm_sframes_t)size;
  }
  if (card->is_dry) return -EPIPE;
  size_t frames = taken(card, offset, size);
  if (frames == 0) return -EAGAIN;
  copy(card, samples, card->end, frames, INTO_RING);
  card->end += (int64_t)frames;
  card_arm(card);
  return (snd_pcm_sframes_t)frames;
}

size_t paced_hear(paced_card *card, const void *samples, size_t frames) {
  if (card->io.state != SND_PCM_STATE_RUNNING) return 0;
  card_follow(card);
  size_t room = (size_t)(card->ring_frames - (card->passed - card->end));
  size_t count = frames < room ? frames : room;
  copy(card, (uint8_t *)(uintptr_t)samples, card->passed, count, INTO_RING);
  card->passed += (int64_t)count;
  card->is_dry = count < frames;
  return count;
}
