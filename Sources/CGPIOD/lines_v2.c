#include "CGPIOD.h"

#include <gpiod.h>

#ifndef GPIOD_BIT  // libgpiod 2.x

#include <stdio.h>
#include <stdlib.h>

#include "failure.h"

/// Contact chatter at 1 kHz for 64 ms fits; the kernel drops the oldest edges beyond it.
#define EDGES_AT_ONCE 64

struct cgpiod_chip {
  struct gpiod_chip *chip;
  struct gpiod_chip_info *info;
};

struct cgpiod_line {
  struct gpiod_line_request *request;
  /// NULL for an output.
  struct gpiod_edge_event_buffer *edges;
  unsigned int offset;
};

const char *cgpiod_version(void) { return gpiod_api_version(); }

int cgpiod_chip_open(const char *path, struct cgpiod_chip **out) {
  struct cgpiod_chip *chip = calloc(1, sizeof *chip);
  if (!chip) return ENOMEM;
  chip->chip = gpiod_chip_open(path);
  chip->info = chip->chip ? gpiod_chip_get_info(chip->chip) : NULL;
  if (!chip->info) {
    int failure = cgpiod_failure();
    if (chip->chip) gpiod_chip_close(chip->chip);
    free(chip);
    return failure;
  }
  *out = chip;
  return 0;
}

void cgpiod_chip_close(struct cgpiod_chip *chip) {
  gpiod_chip_info_free(chip->info);
  gpiod_chip_close(chip->chip);
  free(chip);
}

const char *cgpiod_chip_name(const struct cgpiod_chip *chip) { return gpiod_chip_info_get_name(chip->info); }

const char *cgpiod_chip_label(const struct cgpiod_chip *chip) { return gpiod_chip_info_get_label(chip->info); }

size_t cgpiod_chip_line_count(const struct cgpiod_chip *chip) { return gpiod_chip_info_get_num_lines(chip->info); }

int cgpiod_chip_line_info(struct cgpiod_chip *chip, unsigned int offset, struct cgpiod_line_info *info) {
  struct gpiod_line_info *line = gpiod_chip_get_line_info(chip->chip, offset);
  if (!line) return cgpiod_failure();
  const char *label = gpiod_line_info_get_name(line);
  const char *consumer = gpiod_line_info_get_consumer(line);
  snprintf(info->label, sizeof info->label, "%s", label ? label : "");
  snprintf(info->consumer, sizeof info->consumer, "%s", consumer ? consumer : "");
  info->used = gpiod_line_info_is_used(line);
  gpiod_line_info_free(line);
  return 0;
}

static enum gpiod_line_bias bias(enum cgpiod_bias bias) {
  switch (bias) {
    case CGPIOD_BIAS_AS_IS: return GPIOD_LINE_BIAS_AS_IS;
    case CGPIOD_BIAS_DISABLED: return GPIOD_LINE_BIAS_DISABLED;
    case CGPIOD_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
  }
  return GPIOD_LINE_BIAS_AS_IS;
}

static int apply(const struct cgpiod_settings *from, struct gpiod_line_settings *to) {
  gpiod_line_settings_set_active_low(to, from->active_low);
  if (gpiod_line_settings_set_bias(to, bias(from->bias)) < 0) return cgpiod_failure();
  if (from->output) {
    enum gpiod_line_value level = from->asserted ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    if (gpiod_line_settings_set_direction(to, GPIOD_LINE_DIRECTION_OUTPUT) < 0) return cgpiod_failure();
    return gpiod_line_settings_set_output_value(to, level) < 0 ? cgpiod_failure() : 0;
  }
  if (gpiod_line_settings_set_direction(to, GPIOD_LINE_DIRECTION_INPUT) < 0) return cgpiod_failure();
  if (gpiod_line_settings_set_event_clock(to, GPIOD_LINE_CLOCK_MONOTONIC) < 0) return cgpiod_failure();
  return gpiod_line_settings_set_edge_detection(to, GPIOD_LINE_EDGE_BOTH) < 0 ? cgpiod_failure() : 0;
}

static int request(struct cgpiod_line *line, struct gpiod_chip *chip, const char *consumer,
                   const struct cgpiod_settings *wanted) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  int failure = settings && lines && config ? apply(wanted, settings) : ENOMEM;
  if (!failure && gpiod_line_config_add_line_settings(lines, &line->offset, 1, settings) < 0)
    failure = cgpiod_failure();
  if (!failure) {
    gpiod_request_config_set_consumer(config, consumer);
    gpiod_request_config_set_event_buffer_size(config, wanted->output ? 0 : EDGES_AT_ONCE);
    line->request = gpiod_chip_request_lines(chip, config, lines);
    if (!line->request) failure = cgpiod_failure();
  }
  // The header does not promise that NULL may be freed.
  if (config) gpiod_request_config_free(config);
  if (lines) gpiod_line_config_free(lines);
  if (settings) gpiod_line_settings_free(settings);
  return failure;
}

int cgpiod_line_open(const char *path, unsigned int offset, const char *consumer,
                     const struct cgpiod_settings *settings, struct cgpiod_line **out) {
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) return cgpiod_failure();
  struct cgpiod_line *line = calloc(1, sizeof *line);
  int failure = line ? 0 : ENOMEM;
  if (line) {
    line->offset = offset;
    failure = request(line, chip, consumer, settings);
    if (!failure && !settings->output && !(line->edges = gpiod_edge_event_buffer_new(EDGES_AT_ONCE)))
      failure = cgpiod_failure();
    if (failure) cgpiod_line_close(line);
  }
  gpiod_chip_close(chip);
  if (!failure) *out = line;
  return failure;
}

void cgpiod_line_close(struct cgpiod_line *line) {
  if (line->edges) gpiod_edge_event_buffer_free(line->edges);
  if (line->request) gpiod_line_request_release(line->request);
  free(line);
}

int cgpiod_line_descriptor(const struct cgpiod_line *line) {
  return line->edges ? gpiod_line_request_get_fd(line->request) : -1;
}

int cgpiod_line_level(struct cgpiod_line *line, bool *asserted) {
  enum gpiod_line_value level = gpiod_line_request_get_value(line->request, line->offset);
  if (level == GPIOD_LINE_VALUE_ERROR) return cgpiod_failure();
  *asserted = level == GPIOD_LINE_VALUE_ACTIVE;
  return 0;
}

int cgpiod_line_set(struct cgpiod_line *line, bool asserted) {
  enum gpiod_line_value level = asserted ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  return gpiod_line_request_set_value(line->request, line->offset, level) < 0 ? cgpiod_failure() : 0;
}

int cgpiod_line_read_edges(struct cgpiod_line *line, struct cgpiod_edge *edges, size_t capacity, size_t *count) {
  if (!line->edges) return EPERM;
  size_t wanted = capacity < EDGES_AT_ONCE ? capacity : EDGES_AT_ONCE;
  int got = gpiod_line_request_read_edge_events(line->request, line->edges, wanted);
  if (got < 0) return cgpiod_failure();
  for (int i = 0; i < got; i++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->edges, (unsigned long)i);
    edges[i].nanoseconds = gpiod_edge_event_get_timestamp_ns(event);
    edges[i].sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event);
    edges[i].asserted = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
  }
  *count = (size_t)got;
  return 0;
}

#endif
