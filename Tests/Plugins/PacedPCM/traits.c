// What a card can do, as its configuration and its commands word it.
#include "traits.h"

#include <errno.h>
#include <stdio.h>
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
    .least_period = 256,
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

static int set_delay(paced_traits *traits, const char *text) {
  static const char *const names[] = {[PACED_DELAY_EXACT] = "exact", "stepped", "guessed", "counted"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    traits->delay = (paced_delay)i;
    return 0;
  }
  return -EINVAL;
}

static int set_switch(bool *is_on, const char *text) {
  int answer = snd_config_get_bool_ascii(text);
  *is_on = answer == 1;
  return answer < 0 ? -EINVAL : 0;
}

static int set_number(paced_traits *traits, const char *name, unsigned number) {
  const struct {
    const char *name;
    unsigned *first, *second;
    bool may_be_0;
  } numbers[] = {
      {"rate", &traits->least_rate, &traits->most_rate, false},
      {"channels", &traits->least_channels, &traits->most_channels, false},
      {"most_rate", &traits->most_rate, NULL, false},
      {"least_buffer", &traits->least_buffer, NULL, false},
      {"most_buffer", &traits->most_buffer, NULL, false},
      {"least_period", &traits->least_period, NULL, false},
      {"latency", &traits->latency, NULL, true},
      {"in_flight", &traits->in_flight, NULL, true},
      {"position_step", &traits->position_step, NULL, true},
      {"start_delay", &traits->start_delay, NULL, true},
      {"stop_delay", &traits->stop_delay, NULL, true},
      {"absent", &traits->absent, NULL, true},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    if (strcmp(name, numbers[i].name) != 0) continue;
    if (number == 0 && !numbers[i].may_be_0) return -EINVAL;
    *numbers[i].first = number;
    if (numbers[i].second != NULL) *numbers[i].second = number;
    return 0;
  }
  return -EINVAL;
}

int traits_set(paced_traits *traits, const char *name, const char *text) {
  if (strcmp(name, "model") == 0) return model_set(traits, text);
  if (strcmp(name, "rewind") == 0) return set_rewinding(traits, text);
  if (strcmp(name, "take_back") == 0) return set_take_back(traits, text);
  if (strcmp(name, "delay") == 0) return set_delay(traits, text);
  if (strcmp(name, "format") == 0) {
    traits->format = snd_pcm_format_value(text);
    return traits->format == SND_PCM_FORMAT_UNKNOWN ? -EINVAL : 0;
  }
  if (strcmp(name, "pause") == 0) return set_switch(&traits->pauses, text);
  if (strcmp(name, "name") == 0) {
    int length = snprintf(traits->name, sizeof traits->name, "%s", text);
    return length < (int)sizeof traits->name ? 0 : -EINVAL;
  }
  if (strcmp(name, "server") == 0) return set_switch(&traits->is_server, text);
  if (strcmp(name, "waits") == 0) return set_switch(&traits->waits, text);
  char *rest = NULL;
  if (strcmp(name, "speed") == 0) {
    traits->speed = strtod(text, &rest);
    return *rest != 0 || traits->speed <= 0 ? -EINVAL : 0;
  }
  if (strcmp(name, "position_step") == 0 && strcmp(text, "period") == 0) {
    traits->position_step = PACED_STEP_OF_A_PERIOD;
    return 0;
  }
  unsigned long number = strtoul(text, &rest, 10);
  if (text[0] == 0 || *rest != 0 || number > 1 << 30) return -EINVAL;
  return set_number(traits, name, (unsigned)number);
}
