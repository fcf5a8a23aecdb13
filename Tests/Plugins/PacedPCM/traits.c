// What a card can do, as its configuration and its commands word it.
#include "traits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const paced_traits usual_traits = {
    .format = SND_PCM_FORMAT_UNKNOWN,
    .least_channels = 1,
    .most_channels = 2,
    .least_rate = 8000,
    .most_rate = 192000,
    .least_buffer = 1024,
    .most_buffer = 1 << 20,
    .rewinding = PACED_REWINDS,
    .pauses = true,
    .speed = 1,
};

static int set_rewinding(paced_traits *traits, const char *text) {
  if (strcmp(text, "yes") == 0 || strcmp(text, "1") == 0) {
    traits->rewinding = PACED_REWINDS;
  } else if (strcmp(text, "no") == 0 || strcmp(text, "0") == 0) {
    traits->rewinding = PACED_KEEPS;
  } else if (strcmp(text, "pretended") == 0) {
    traits->rewinding = PACED_PRETENDS;
  } else {
    return -EINVAL;
  }
  return 0;
}

static int set_take_back(paced_traits *traits, const char *text) {
  traits->refuses_rewind = strcmp(text, "refuse") == 0;
  return traits->refuses_rewind || strcmp(text, "yes") == 0 ? 0 : -EINVAL;
}

static int set_number(paced_traits *traits, const char *name, unsigned number) {
  if (strcmp(name, "rate") == 0 && number > 0) {
    traits->least_rate = traits->most_rate = number;
  } else if (strcmp(name, "channels") == 0 && number > 0) {
    traits->least_channels = traits->most_channels = number;
  } else if (strcmp(name, "latency") == 0) {
    traits->latency = number;
  } else if (strcmp(name, "least_buffer") == 0 && number > 0) {
    traits->least_buffer = number;
  } else if (strcmp(name, "most_buffer") == 0 && number > 0) {
    traits->most_buffer = number;
  } else {
    return -EINVAL;
  }
  return 0;
}

int traits_set(paced_traits *traits, const char *name, const char *text) {
  if (strcmp(name, "rewind") == 0) return set_rewinding(traits, text);
  if (strcmp(name, "take_back") == 0) return set_take_back(traits, text);
  if (strcmp(name, "format") == 0) {
    traits->format = snd_pcm_format_value(text);
    return traits->format == SND_PCM_FORMAT_UNKNOWN ? -EINVAL : 0;
  }
  if (strcmp(name, "pause") == 0) {
    int pauses = snd_config_get_bool_ascii(text);
    traits->pauses = pauses == 1;
    return pauses < 0 ? -EINVAL : 0;
  }
  char *rest = NULL;
  if (strcmp(name, "speed") == 0) {
    traits->speed = strtod(text, &rest);
    return *rest != 0 || traits->speed <= 0 ? -EINVAL : 0;
  }
  unsigned long number = strtoul(text, &rest, 10);
  if (text[0] == 0 || *rest != 0 || number > 1 << 30) return -EINVAL;
  return set_number(traits, name, (unsigned)number);
}
