// What libasound asks of the card.
#include "card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Locks the card of an opening. NULL, and not locked, once it is gone.
static control_card *enter(snd_ctl_ext_t *ext) {
  opening *opening = ext->private_data;
  pthread_mutex_lock(&opening->card->lock);
  if (!opening->is_gone) return opening->card;
  pthread_mutex_unlock(&opening->card->lock);
  return NULL;
}

static int leave(control_card *card, int result) {
  pthread_mutex_unlock(&card->lock);
  return result;
}

static void write_id(const control_card *card, int index, snd_ctl_elem_id_t *id) {
  snd_ctl_elem_id_set_numid(id, (unsigned)index + 1);
  snd_ctl_elem_id_set_interface(id, card->controls[index].interface);
  snd_ctl_elem_id_set_name(id, card->controls[index].name);
}

static int count_controls(snd_ctl_ext_t *ext) {
  control_card *card = enter(ext);
  return card == NULL ? -ENODEV : leave(card, card->count);
}

static int list_control(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
  control_card *card = enter(ext);
  if (card == NULL) return -ENODEV;
  if (offset >= (unsigned)card->count) return leave(card, -EINVAL);
  write_id(card, (int)offset, id);
  return leave(card, 0);
}

static snd_ctl_ext_key_t find_control(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
  opening *opening = ext->private_data;
  const control_card *card = opening->card;
  unsigned number = snd_ctl_elem_id_get_numid(id);
  if (number > 0 && number <= (unsigned)card->count) return number - 1;
  for (int i = 0; i < card->count; i++) {
    const control *control = &card->controls[i];
    if (control->interface == snd_ctl_elem_id_get_interface(id) && snd_ctl_elem_id_get_index(id) == 0 &&
        strcmp(control->name, snd_ctl_elem_id_get_name(id)) == 0) {
      return (snd_ctl_ext_key_t)i;
    }
  }
  return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int get_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
  control_card *card = enter(ext);
  if (card == NULL) return -ENODEV;
  const control *control = &card->controls[key];
  *type = control->is_truth ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
  *access = control->interface == SND_CTL_ELEM_IFACE_CARD ? SND_CTL_EXT_ACCESS_READ : SND_CTL_EXT_ACCESS_READWRITE;
  if (control->step > 0) *access |= SND_CTL_EXT_ACCESS_TLV_READ | SND_CTL_EXT_ACCESS_TLV_CALLBACK;
  *count = 1;
  return leave(card, 0);
}

static int get_range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
  control_card *card = enter(ext);
  if (card == NULL) return -ENODEV;
  *least = 0;
  *most = card->controls[key].most;
  *step = 1;
  return leave(card, 0);
}

static int read_value(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  control_card *card = enter(ext);
  if (card == NULL) return -ENODEV;
  *value = card->controls[key].value;
  return leave(card, 0);
}

static int write_value(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  control_card *card = enter(ext);
  if (card == NULL) return -ENODEV;
  if (card->refusal < 0) return leave(card, card->refusal);
  if (card->controls[key].value == *value) return leave(card, 0);
  const int freezer = card->controls[key].freezer;
  if (freezer == 0 || card->controls[freezer - 1].value != 0) card->controls[key].value = *value;
  card_changed(card, (int)key);
  return leave(card, 1);
}

static int read_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
  opening *opening = ext->private_data;
  control_card *card = enter(ext);
  if (card == NULL) return -ENODEV;
  for (int i = 0; i < card->count; i++) {
    if ((opening->news & 1u << i) == 0) continue;
    opening->news &= ~(1u << i);
    write_id(card, i, id);
    *mask = SND_CTL_EVENT_MASK_VALUE;
    return leave(card, 1);
  }
  uint64_t rung;
  (void)!read(ext->poll_fd, &rung, sizeof rung);
  return leave(card, -EAGAIN);
}

static int read_decibels(
    snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int operation, unsigned number, unsigned *tlv, unsigned size) {
  (void)number;
  if (operation != 0 || size < 4 * sizeof *tlv) return -ENXIO;
  control_card *card = enter(ext);
  if (card == NULL) return -ENODEV;
  if (card->leaves_over_decibels) {
    card->leaves_over_decibels = false;
    card_plugged(card, false);
    return leave(card, -ENODEV);
  }
  const control *control = &card->controls[key];
  tlv[0] = SND_CTL_TLVT_DB_SCALE;
  tlv[1] = 2 * sizeof *tlv;
  tlv[2] = (unsigned)(-control->step * (int)control->most);
  tlv[3] = (unsigned)control->step;
  return leave(card, 0);
}

static void close_opening(snd_ctl_ext_t *ext) {
  opening *closed = ext->private_data;
  control_card *card = closed->card;
  pthread_mutex_lock(&card->lock);
  opening **link = &card->openings;
  while (*link != closed) link = &(*link)->next;
  *link = closed->next;
  pthread_mutex_unlock(&card->lock);
  close(ext->poll_fd);
  free(closed);
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = close_opening,
    .elem_count = count_controls,
    .elem_list = list_control,
    .find_elem = find_control,
    .get_attribute = get_attribute,
    .get_integer_info = get_range,
    .read_integer = read_value,
    .write_integer = write_value,
    .read_event = read_event,
};

int control_card_open(control_card *card, snd_ctl_t **control, int mode) {
  opening *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return -ENOMEM;
  *opened = (opening){
      .ext = {.version = SND_CTL_EXT_VERSION, .callback = &callbacks, .poll_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)},
      .card = card};
  opened->ext.private_data = opened;
  opened->ext.tlv.c = read_decibels;
  strcpy(opened->ext.id, "Pretended");
  pthread_mutex_lock(&card->lock);
  bool is_plugged = card->is_plugged;
  pthread_mutex_unlock(&card->lock);
  int result = is_plugged ? snd_ctl_ext_create(&opened->ext, "pretended", mode) : -ENODEV;
  if (result < 0) {
    close(opened->ext.poll_fd);
    free(opened);
    return result;
  }
  pthread_mutex_lock(&card->lock);
  opened->next = card->openings;
  card->openings = opened;
  pthread_mutex_unlock(&card->lock);
  *control = opened->ext.handle;
  return 0;
}
