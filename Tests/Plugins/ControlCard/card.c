#include "card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

control_card *control_card_new(void) {
  control_card *card = calloc(1, sizeof *card);
  if (card == NULL) return NULL;
  pthread_mutex_init(&card->lock, NULL);
  card->is_plugged = true;
  return card;
}

void control_card_free(control_card *card) {
  if (card == NULL) return;
  pthread_mutex_destroy(&card->lock);
  free(card);
}

static int add(control_card *card, control control, const char *name) {
  if (card->count == MOST_CONTROLS) return -ENOMEM;
  strncpy(control.name, name, sizeof control.name - 1);
  card->controls[card->count] = control;
  return card->count++;
}

int control_card_add_jack(control_card *card, const char *name) {
  return add(card, (control){.interface = SND_CTL_ELEM_IFACE_CARD, .is_truth = true, .most = 1}, name);
}

int control_card_add_volume(control_card *card, const char *name, long most, int step) {
  return add(
      card, (control){.interface = SND_CTL_ELEM_IFACE_MIXER, .most = most, .step = step, .value = most}, name);
}

int control_card_add_switch(control_card *card, const char *name) {
  return add(card, (control){.interface = SND_CTL_ELEM_IFACE_MIXER, .is_truth = true, .most = 1, .value = 1}, name);
}

void control_card_freeze(control_card *card, int volume, int its_switch) {
  card->controls[volume].freezer = its_switch + 1;
}

static void ring(opening *opening) {
  const uint64_t one = 1;
  (void)!write(opening->ext.poll_fd, &one, sizeof one);
}

void card_changed(control_card *card, int index) {
  for (opening *opening = card->openings; opening != NULL; opening = opening->next) {
    opening->news |= 1u << index;
    ring(opening);
  }
}

void control_card_move(control_card *card, int index, long value) {
  pthread_mutex_lock(&card->lock);
  card->controls[index].value = value;
  card_changed(card, index);
  pthread_mutex_unlock(&card->lock);
}

long control_card_value(control_card *card, int index) {
  pthread_mutex_lock(&card->lock);
  long value = card->controls[index].value;
  pthread_mutex_unlock(&card->lock);
  return value;
}

void card_plugged(control_card *card, bool is_plugged) {
  card->is_plugged = is_plugged;
  for (opening *opening = card->openings; opening != NULL; opening = opening->next) {
    if (is_plugged) continue;
    opening->is_gone = true;
    ring(opening);
  }
}

void control_card_plug(control_card *card, bool is_plugged) {
  pthread_mutex_lock(&card->lock);
  card_plugged(card, is_plugged);
  pthread_mutex_unlock(&card->lock);
}

void control_card_leave_over_decibels(control_card *card) {
  pthread_mutex_lock(&card->lock);
  card->leaves_over_decibels = true;
  pthread_mutex_unlock(&card->lock);
}

void control_card_refuse(control_card *card, int result) {
  pthread_mutex_lock(&card->lock);
  card->refusal = result;
  pthread_mutex_unlock(&card->lock);
}

int control_card_openings(control_card *card) {
  int count = 0;
  pthread_mutex_lock(&card->lock);
  for (opening *opening = card->openings; opening != NULL; opening = opening->next) count++;
  pthread_mutex_unlock(&card->lock);
  return count;
}
