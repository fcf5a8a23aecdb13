#pragma once
// The controls of a sound card that is not there: jacks, volumes and switches for libasound, moved and read by a test in
// the same process. Any thread.
#include <alsa/asoundlib.h>
#include <stdbool.h>

/// It stays when it is unplugged.
typedef struct control_card control_card;

/// NULL without memory.
control_card *control_card_new(void);

/// Only after every control device that was opened on it is closed.
void control_card_free(control_card *card);

/// Adds a jack; answers its index. All are added before the first opening.
int control_card_add_jack(control_card *card, const char *name);

/// Adds a volume 0...most that is 0 dB at `most` and `step` hundredths of a decibel lower each below (0: without
/// decibels); answers its index.
int control_card_add_volume(control_card *card, const char *name, long most, int step);

/// Adds a switch that is on; answers its index.
int control_card_add_switch(control_card *card, const char *name);

/// From now on the volume ignores what is written while the switch is off, and only its event tells, as the Raspberry
/// Pi's jack does.
void control_card_freeze(control_card *card, int volume, int its_switch);

/// As snd_ctl_open; -ENODEV while it is unplugged.
int control_card_open(control_card *card, snd_ctl_t **control, int mode);

/// As the hardware does: whoever subscribed learns of it.
void control_card_move(control_card *card, int index, long value);

long control_card_value(control_card *card, int index);

/// What is open when it is unplugged answers -ENODEV from then on.
void control_card_plug(control_card *card, bool is_plugged);

/// It is unplugged by the first program that asks for its decibels.
void control_card_leave_over_decibels(control_card *card);

/// Fails with this negative errno whatever a program writes; 0 ends that.
void control_card_refuse(control_card *card, int result);

/// How many control devices are open on it.
int control_card_openings(control_card *card);
