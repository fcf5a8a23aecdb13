#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// libgpiod 1.6 (Debian 12) and 2.x (Debian 13) behind the same plain functions. Their `gpiod.h` differ in every
/// call, so it stays inside lines_v1.c and lines_v2.c, of which exactly one has content.
///
/// Levels are logical everywhere: polarity is already applied. `int` results are 0 or a positive errno. Nothing here
/// is safe to call from two threads on the same object.

struct cgpiod_chip;
struct cgpiod_line;

enum cgpiod_bias {
  CGPIOD_BIAS_AS_IS,
  CGPIOD_BIAS_DISABLED,
  CGPIOD_BIAS_PULL_UP,
  CGPIOD_BIAS_PULL_DOWN,
};

/// How a line is opened. An input reports both edges; `asserted` is the first level of an output.
struct cgpiod_settings {
  bool output;
  bool asserted;
  bool active_low;
  enum cgpiod_bias bias;
};

/// The names of a line and its user, cut to what the kernel keeps.
struct cgpiod_line_info {
  char label[33];
  char consumer[33];
  bool used;
};

struct cgpiod_edge {
  /// CLOCK_MONOTONIC.
  uint64_t nanoseconds;
  /// Counts the line's edges from 1; a gap is edges that were lost. 0 where the API has no count, as 1.6.
  uint32_t sequence;
  bool asserted;
};

/// The library's version, such as "1.6.3".
const char *cgpiod_version(void);

int cgpiod_chip_open(const char *path, struct cgpiod_chip **chip);
void cgpiod_chip_close(struct cgpiod_chip *chip);
/// The kernel's name, such as "gpiochip0".
const char *cgpiod_chip_name(const struct cgpiod_chip *chip);
/// The driver's label, such as "pinctrl-bcm2711".
const char *cgpiod_chip_label(const struct cgpiod_chip *chip);
size_t cgpiod_chip_line_count(const struct cgpiod_chip *chip);
int cgpiod_chip_line_info(struct cgpiod_chip *chip, unsigned int offset, struct cgpiod_line_info *info);

/// Opens one line, independently of any open chip. Sets *line only on success.
int cgpiod_line_open(const char *path, unsigned int offset, const char *consumer,
                     const struct cgpiod_settings *settings, struct cgpiod_line **line);
void cgpiod_line_close(struct cgpiod_line *line);
/// Readable when an edge waits; -1 for an output. Stays owned by the line.
int cgpiod_line_descriptor(const struct cgpiod_line *line);
int cgpiod_line_level(struct cgpiod_line *line, bool *asserted);
int cgpiod_line_set(struct cgpiod_line *line, bool asserted);
/// Reads up to `capacity` edges that wait, oldest first. Blocks when none waits: call when readable.
int cgpiod_line_read_edges(struct cgpiod_line *line, struct cgpiod_edge *edges, size_t capacity, size_t *count);
