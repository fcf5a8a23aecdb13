// A sound card made of a clock and a file: an ALSA plug-in that plays at the pace of CLOCK_MONOTONIC (or `speed` times as
// fast) and writes what was heard, and when what happened, to files. No kernel driver, daemon, thread or privilege.
//
//   cd Tests/Plugins/PacedPCM
//   gcc -shared -fPIC -DPIC -O2 -Wall -Wextra -Werror -Iinclude *.c -o libasound_module_pcm_paced.so -lasound
//
// and in the file that ALSA_CONFIG_PATH names:
//
//   pcm_type.paced { lib "/…/libasound_module_pcm_paced.so" }
//   pcm.NAME { type paced  file "heard.raw"  log "heard.log" }
//
// Keys, all optional:
//   file          the samples, in the format they were played in; nothing is written while it stands
//   log           one line per event: `SECONDS EVENT key=value… played=FRAMES`, with the seconds of CLOCK_MONOTONIC
//   faults        a file or pipe of mishaps (see faults.c)
//   clock         a file with the time in nanoseconds, in place of CLOCK_MONOTONIC: it stands until the file is written
//                 again, and wakes nobody
//   speed         1.0; how many times as fast as the clock it plays
//   latency       0; frames between leaving the buffer and being heard (in the file); snd_pcm_delay counts them
//   model         all that a card of that name is known for (see models.c); keys behind it change it
//   in_flight     0; frames that leave the buffer at the start, before they are heard, and are then always ahead of what is
//                 heard; snd_pcm_delay counts them, and it runs dry only when they, too, were heard
//   position_step 1; the frames by which the position moves, or `period`. From more than 1 ms on its driver says
//                 so (SNDRV_PCM_INFO_BATCH)
//   delay         exact: snd_pcm_delay counts every frame; `stepped`: it moves with the position; `guessed`: it falls with
//                 the clock, whatever the device does; `counted`: by whole milliseconds of the clock since the position
//                 moved, for as long as frames are in flight
//   start_delay, stop_delay  0; frames of the clock from the start to the first that is heard, and frames of the buffer
//                 that are still heard after a stop
//   rewind        yes; `no`: fetches all that is queued; `pretended`: as the plug-ins of sound servers
//   take_back     yes; `refuse`: a rewind is an underrun. The kernel says at once that nothing was taken back; here
//                 libasound says that all was, and the next call finds the underrun
//   pause         yes
//   name          as its driver calls it, such as `USB Audio`; else that by which it is opened
//   server        no; `yes`: a sound server's plug-in, which says nothing of how its position moves
//   waits         no; `yes`: it never runs dry, as its clock stands while a single frame is left: for programs that
//                 cannot keep up with `speed`
//   format, rate, most_rate, channels, least_buffer, most_buffer, least_period (bytes)
//                 only this; else S16_LE, S32_LE or FLOAT_LE, 8 to 192 kHz, 1 or 2, 1 KiB, 1 MiB and 256
//   absent        0; the errno with which it cannot be opened
//
// Events: open, configure (rate channels format buffer period latency speed), prepare, start (queued), stop (lost),
// pause, resume, drain (queued), underrun, rewind (frames), fault (kind), refused (an opening, a command), close.
// `latency` of configure counts the delay of the start, too.
// `played` counts the frames in the file, over all openings that one process made. After an event `start` or `resume`
// at S seconds with played=P, frame P + k of the file was heard at S + (k + latency) / rate / speed, until the event with
// which the device stopped. With a latency, what was on its way through it at a pause comes first after the resume.
//
// A rewind is seen at the next call after it; its time is that of this call. An underrun's time is that of its last
// frame, whenever it was noticed.
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct known_card {
  struct known_card *next;
  paced_card *card;
  char *key;
} known_card;

/// Cards stay from one opening to the next, for as long as the process does.
static known_card *known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
  const char *file, *log, *faults, *clock;
  paced_traits traits;
} settings;

static int read_setting(settings *settings, snd_config_t *entry, const char *name) {
  const char **path = strcmp(name, "file") == 0 ? &settings->file
      : strcmp(name, "log") == 0                ? &settings->log
      : strcmp(name, "faults") == 0             ? &settings->faults
      : strcmp(name, "clock") == 0              ? &settings->clock
                                                : NULL;
  if (path != NULL) return snd_config_get_string(entry, path);
  char *text = NULL;
  int result = snd_config_get_ascii(entry, &text);
  if (result < 0) return result;
  result = traits_set(&settings->traits, name, text);
  free(text);
  return result;
}

static int read_settings(settings *settings, snd_config_t *conf) {
  snd_config_iterator_t entry, next;
  snd_config_for_each(entry, next, conf) {
    snd_config_t *node = snd_config_iterator_entry(entry);
    const char *name;
    if (snd_config_get_id(node, &name) < 0) continue;
    if (strcmp(name, "comment") == 0 || strcmp(name, "type") == 0 || strcmp(name, "hint") == 0) continue;
    int result = read_setting(settings, node, name);
    if (result < 0) {
      SNDERR("Field %s of a paced PCM: unknown, or not a value it can have", name);
      return result;
    }
  }
  return 0;
}

static int open_file(int *file, const char *path, int flags) {
  if (path == NULL) return 0;
  *file = open(path, flags | O_CLOEXEC, 0644);
  if (*file >= 0) return 0;
  int result = -errno;
  SNDERR("Cannot open %s", path);
  return result;
}

static int open_files(paced_card *card, const settings *settings) {
  const int afresh = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
  int result = open_file(&card->journal.file, settings->file, afresh);
  if (result == 0) result = open_file(&card->journal.log, settings->log, afresh);
  if (result == 0) result = open_file(&card->clock_file, settings->clock, O_RDONLY);
  card->is_by_hand = card->clock_file >= 0;
  // Open for writing too, so that a pipe does not end whenever its writer goes; a file need not be writable.
  if (result == 0 && settings->faults != NULL) {
    card->faults.file = open(settings->faults, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (card->faults.file < 0) result = open_file(&card->faults.file, settings->faults, O_RDONLY | O_NONBLOCK);
  }
  return result;
}

static void discard(paced_card *card) {
  const int files[] = {card->journal.file, card->journal.log, card->faults.file, card->clock_file};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (files[i] >= 0) close(files[i]);
  }
  paced_free(card);
}

/// The card that has these files or that PCM's name, made if there is none yet. 0 or a negative errno.
static int find_card(const settings *settings, const char *pcm, paced_card **found) {
  const char *key = settings->file != NULL ? settings->file
      : settings->log != NULL              ? settings->log
      : settings->faults != NULL           ? settings->faults
      : pcm != NULL                        ? pcm
                                           : "";
  for (known_card *entry = known; entry != NULL; entry = entry->next) {
    if (strcmp(entry->key, key) != 0) continue;
    *found = entry->card;
    return 0;
  }
  known_card *entry = calloc(1, sizeof *entry);
  paced_card *card = card_make();
  char *name = strdup(key);
  int result = entry == NULL || card == NULL || name == NULL ? -ENOMEM : open_files(card, settings);
  if (result < 0) {
    if (card != NULL) discard(card);
    free(name);
    free(entry);
    return result;
  }
  card->wanted = settings->traits;
  *entry = (known_card){.next = known, .card = card, .key = name};
  known = entry;
  *found = card;
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(paced) {
  settings settings = {.traits = usual_traits};
  paced_card *card = NULL;
  (void)root;
  // Only a test can say what it hears.
  if (stream != SND_PCM_STREAM_PLAYBACK) return -ENODEV;
  int result = read_settings(&settings, conf);
  if (result < 0) return result;
  pthread_mutex_lock(&lock);
  result = find_card(&settings, name, &card);
  if (result == 0) result = card_open(card, pcmp, name, stream, mode);
  pthread_mutex_unlock(&lock);
  return result;
}

SND_PCM_PLUGIN_SYMBOL(paced);
