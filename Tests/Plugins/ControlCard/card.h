#pragma once
#include "ControlCard.h"

#include <alsa/control_external.h>
#include <pthread.h>
#include <stdint.h>

enum { MOST_CONTROLS = 16 };

typedef struct {
  snd_ctl_elem_iface_t interface;
  bool is_truth;
  char name[44];
  long value, most;
  /// Hundredths of a decibel; 0: without decibels.
  int step;
  /// The index of a switch that freezes it while it is off, from 1; 0: none.
  int freezer;
} control;

/// One control device that a program opened.
typedef struct opening {
  snd_ctl_ext_t ext;
  control_card *card;
  struct opening *next;
  /// A bit for each control that changed since it was told.
  uint32_t news;
  /// Plugged in again, the card is another one to who has it open.
  bool is_gone;
} opening;

struct control_card {
  pthread_mutex_t lock;
  control controls[MOST_CONTROLS];
  int count;
  opening *openings;
  bool is_plugged;
  int refusal;
  bool leaves_over_decibels;
};

/// With the lock held: tells all that have it open.
void card_changed(control_card *card, int index);

/// With the lock held.
void card_plugged(control_card *card, bool is_plugged);
