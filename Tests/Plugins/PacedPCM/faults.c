// Mishaps on command, one per line, from a test, a file that may grow, or a pipe (mkfifo):
//
//   [at FRAME] underrun         it runs dry
//   [at FRAME] suspend          the system sleeps
//   [at FRAME] halt             somebody else stops it
//   [at FRAME] unplug           it is gone (ENODEV), and cannot be opened until `restore`
//   [at FRAME] stall [FRAMES]   its position stands for the time of this many frames; without a number until `go`
//   go
//   restore                     plugged in again
//   busy [N]                    the next N openings (1) fail with EBUSY; 0: no more
//   slow MS                     configuring it takes this long from now on, as that of a device that does not answer
//   short N                     writes take at most N frames per call; 0: all again
//   rate N                      runs at this rate only, from the next opening on
//   KEY VALUE                   likewise: any key of plugin.c that is not a file
//   forget                      pending mishaps do not happen
//
// FRAME counts the frames heard since the first opening: the mishap comes after exactly so many, whenever anybody asks.
// Without it, it comes now. Empty lines and lines that begin with # are nothing.
#include "card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name;
  fault_kind kind;
} kinds[] = {
    {"underrun", FAULT_UNDERRUN}, {"suspend", FAULT_SUSPEND}, {"halt", FAULT_HALT},
    {"unplug", FAULT_UNPLUG},     {"stall", FAULT_STALL},
};

paced_fault *faults_next(paced_card *card) {
  paced_fault *next = NULL;
  for (size_t i = 0; i < card->faults.count; i++) {
    if (next == NULL || card->faults.pending[i].at < next->at) next = &card->faults.pending[i];
  }
  return next;
}

static void befall(paced_card *card, paced_fault fault) {
  if (fault.kind == FAULT_UNPLUG) card->faults.is_gone = true;
  if (!card->is_open) return;
  switch (fault.kind) {
    case FAULT_UNDERRUN:
      if (card->is_moving) card_run_dry(card);
      return;
    case FAULT_STALL:
      card->stalled_for = (int64_t)fault.frames;
      return;
    case FAULT_SUSPEND:
      snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SUSPENDED);
      break;
    case FAULT_HALT:
      snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SETUP);
      break;
    case FAULT_UNPLUG:
      snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
      break;
  }
  card->is_moving = false;
}

void faults_strike(paced_card *card, paced_fault *pending) {
  paced_fault fault = *pending;
  *pending = card->faults.pending[--card->faults.count];
  journal_tell(card, card_position_moment(card), "fault", "kind=%s ", kinds[fault.kind].name);
  befall(card, fault);
}

static int add(paced_card *card, paced_fault fault) {
  if (card->faults.count == FAULTS_MOST) return -ENOSPC;
  card->faults.pending[card->faults.count++] = fault;
  if (fault.at <= card->counts.played) faults_strike(card, &card->faults.pending[card->faults.count - 1]);
  return 0;
}

/// 0 once it was the name of a mishap, else 1.
static int add_named(paced_card *card, const char *name, bool is_dated, uint64_t at, unsigned frames) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(name, kinds[i].name) != 0) continue;
    return add(card, (paced_fault){.kind = kinds[i].kind, .at = is_dated ? at : 0, .frames = frames});
  }
  return 1;
}

static int set(paced_card *card, const char *name, const char *text, unsigned number) {
  if (strcmp(name, "busy") == 0) {
    card->faults.busy = text[0] == 0 ? 1 : number;
  } else if (strcmp(name, "slow") == 0) {
    card->faults.slow = number;
  } else if (strcmp(name, "short") == 0) {
    card->faults.short_write = number;
  } else if (strcmp(name, "restore") == 0) {
    card->faults.is_gone = false;
  } else if (strcmp(name, "forget") == 0) {
    card->faults.count = 0;
  } else if (strcmp(name, "go") == 0) {
    if (card->is_moving) card_go(card);
    card->stalled_for = -1;
  } else {
    return traits_set(&card->wanted, name, text);
  }
  return 0;
}

int faults_obey(paced_card *card, const char *line) {
  char name[32] = "", text[32] = "";
  unsigned long long at = 0;
  bool is_dated = sscanf(line, " at %llu %31s %31s", &at, name, text) >= 2;
  if (!is_dated && sscanf(line, "%31s %31s", name, text) < 1) return 0;
  if (name[0] == '#') return 0;
  unsigned number = (unsigned)strtoul(text, NULL, 10);
  int result = add_named(card, name, is_dated, at, number);
  if (result == 1) {
    result = is_dated ? -EINVAL : set(card, name, text, number);
    if (result == 0) journal_tell(card, card_now(card), "fault", "kind=%s %s%s", name, text, text[0] ? " " : "");
  }
  if (result < 0) journal_tell(card, card_now(card), "refused", "command=%s ", name);
  return result;
}

void faults_read(paced_card *card) {
  paced_faults *faults = &card->faults;
  char letter;
  if (faults->file < 0) return;
  while (read(faults->file, &letter, 1) == 1) {
    if (letter != '\n' && faults->length < COMMAND_LENGTH - 1) {
      faults->line[faults->length++] = letter;
    } else if (letter == '\n') {
      faults->line[faults->length] = 0;
      faults->length = 0;
      faults_obey(card, faults->line);
    }
  }
}

int paced_command(paced_card *card, const char *line) {
  if (card->is_open) card_advance(card);
  int result = faults_obey(card, line);
  if (card->is_open) card_arm(card);
  return result;
}
