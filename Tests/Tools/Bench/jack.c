// A sound card whose jack is moved from outside, for the configuration of ALSA: `type jack fifo PATH`. Each byte that is
// written into the FIFO plugs something in (1) or pulls it out (0).
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "ControlCard.h"

static control_card *card;
static int fifo;

static void *watch(void *unused) {
  (void)unused;
  char byte;
  while (read(fifo, &byte, 1) == 1) control_card_move(card, 0, byte == '1');
  return NULL;
}

static int make(const char *path) {
  pthread_t thread;
  // Written to as well, so that it never ends.
  fifo = open(path, O_RDWR | O_CLOEXEC);
  card = control_card_new();
  if (fifo < 0 || card == NULL) return -ENOMEM;
  control_card_move(card, control_card_add_jack(card, "Headphone Jack"), 1);
  return -pthread_create(&thread, NULL, watch, NULL);
}

SND_CTL_PLUGIN_DEFINE_FUNC(jack) {
  (void)root;
  (void)name;
  const char *path = NULL;
  snd_config_t *found;
  if (snd_config_search(conf, "fifo", &found) < 0 || snd_config_get_string(found, &path) < 0) return -EINVAL;
  const int result = card == NULL ? make(path) : 0;
  return result < 0 ? result : control_card_open(card, handlep, mode);
}

SND_CTL_PLUGIN_SYMBOL(jack)
