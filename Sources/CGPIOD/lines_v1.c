#include "CGPIOD.h"

#include <gpiod.h>

#ifdef GPIOD_BIT  // libgpiod 1.x

#include <stdio.h>
#include <stdlib.h>

#include "failure.h"

/// The most that the kernel's first interface queues for one line.
#define EDGES_AT_ONCE 16

struct cgpiod_chip {
  struct gpiod_chip *chip;
};

/// In 1.x closing the chip releases its lines, so each line keeps a chip of its own.
struct cgpiod_line {
  struct gpiod_chip *chip;
  struct gpiod_line *line;
  int descriptor;
};

const char *cgpiod_version(void) { return gpiod_version_string(); }

int cgpiod_chip_open(const char *path, struct cgpiod_chip **out) {
  struct cgpiod_chip *chip = calloc(1, sizeof *chip);
  if (!chip) return ENOMEM;
  chip->chip = gpiod_chip_open(path);
  if (!chip->chip) {
    int failure = cgpiod_failure();
    free(chip);
    return failure;
  }
  *out = chip;
  return 0;
}

void cgpiod_chip_close(struct cgpiod_chip *chip) {
  gpiod_chip_close(chip->chip);
  free(chip);
}

const char *cgpiod_chip_name(const struct cgpiod_chip *chip) { return gpiod_chip_name(chip->chip); }

const char *cgpiod_chip_label(const struct cgpiod_chip *chip) { return gpiod_chip_label(chip->chip); }

size_t cgpiod_chip_line_count(const struct cgpiod_chip *chip) { return gpiod_chip_num_lines(chip->chip); }

int cgpiod_chip_line_info(struct cgpiod_chip *chip, unsigned int offset, struct cgpiod_line_info *info) {
  struct gpiod_line *line = gpiod_chip_get_line(chip->chip, offset);
  if (!line) return cgpiod_failure();
  const char *label = gpiod_line_name(line);
  const char *consumer = gpiod_line_consumer(line);
  snprintf(info->label, sizeof info->label, "%s", label ? label : "");
  snprintf(info->consumer, sizeof info->consumer, "%s", consumer ? consumer : "");
  info->used = gpiod_line_is_used(line);
  return 0;
}

static int request_flags(const struct cgpiod_settings *settings) {
  int flags = settings->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (settings->bias) {
    case CGPIOD_BIAS_AS_IS: break;
    case CGPIOD_BIAS_DISABLED: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    case CGPIOD_BIAS_PULL_UP: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case CGPIOD_BIAS_PULL_DOWN: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
  }
  return flags;
}

static int request(struct cgpiod_line *line, unsigned int offset, const char *consumer,
                   const struct cgpiod_settings *settings) {
  struct gpiod_line_request_config config = {
      .consumer = consumer,
      .request_type =
          settings->output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT : GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .flags = request_flags(settings),
  };
  line->line = gpiod_chip_get_line(line->chip, offset);
  if (!line->line) return cgpiod_failure();
  if (gpiod_line_request(line->line, &config, settings->asserted) < 0) return cgpiod_failure();
  if (settings->output) return 0;
  line->descriptor = gpiod_line_event_get_fd(line->line);
  return line->descriptor < 0 ? cgpiod_failure() : 0;
}

int cgpiod_line_open(const char *path, unsigned int offset, const char *consumer,
                     const struct cgpiod_settings *settings, struct cgpiod_line **out) {
  struct cgpiod_line *line = calloc(1, sizeof *line);
  if (!line) return ENOMEM;
  line->descriptor = -1;
  line->chip = gpiod_chip_open(path);
  int failure = line->chip ? request(line, offset, consumer, settings) : cgpiod_failure();
  if (failure) {
    cgpiod_line_close(line);
    return failure;
  }
  *out = line;
  return 0;
}

void cgpiod_line_close(struct cgpiod_line *line) {
  if (line->chip) gpiod_chip_close(line->chip);
  free(line);
}

int cgpiod_line_descriptor(const struct cgpiod_line *line) { return line->descriptor; }

int cgpiod_line_level(struct cgpiod_line *line, bool *asserted) {
  int level = gpiod_line_get_value(line->line);
  if (level < 0) return cgpiod_failure();
  *asserted = level != 0;
  return 0;
}

int cgpiod_line_set(struct cgpiod_line *line, bool asserted) {
  return gpiod_line_set_value(line->line, asserted) < 0 ? cgpiod_failure() : 0;
}

int cgpiod_line_read_edges(struct cgpiod_line *line, struct cgpiod_edge *edges, size_t capacity, size_t *count) {
  struct gpiod_line_event events[EDGES_AT_ONCE];
  unsigned int wanted = capacity < EDGES_AT_ONCE ? (unsigned int)capacity : EDGES_AT_ONCE;
  int got = gpiod_line_event_read_multiple(line->line, events, wanted);
  if (got < 0) return cgpiod_failure();
  for (int i = 0; i < got; i++) {
    edges[i].nanoseconds = (uint64_t)events[i].ts.tv_sec * 1000000000u + (uint64_t)events[i].ts.tv_nsec;
    edges[i].sequence = 0;
    edges[i].asserted = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
  }
  *count = (size_t)got;
  return 0;
}

#endif
