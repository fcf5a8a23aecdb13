// Holds the C shims to the memory that they are given: whatever they write into ends where a page begins that nobody
// may touch, and what is before it must be as it was. Run on the emulated board as root, by checks/test_shims.py: with
// a GPIO chip of the kernel's, a library that gives longer names than any kernel, and an input device of its own
// making.
//
//   fences CHIP LINE
//
// The line is to be free, and to move all the time. Says how often what was called; 1 where something is wrong.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <gpiod.h>
#include <linux/uinput.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CGPIOD.h"
#include "CLinux.h"
#include "CSamples.h"

#define SPACE 8192
#define UNTOUCHED 0xa5
#define PATIENCE 60  // s

static int calls;

#define HOLD(condition, ...)                                                  \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                           \
      fprintf(stderr, "\n");                                                  \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

// ---- Memory ------------------------------------------------------------------------------------------------------

static unsigned char *space;

// Returns this many bytes right before the page that is closed.
static void *fenced(size_t size) {
  if (!space) {
    space = mmap(NULL, 2 * SPACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HOLD(space != MAP_FAILED, "mmap: %m");
    HOLD(mprotect(space + SPACE, SPACE, PROT_NONE) == 0, "mprotect: %m");
  }
  memset(space, UNTOUCHED, SPACE);
  return space + SPACE - size;
}

static void look_before(size_t size, const char *who) {
  for (size_t at = 0; at < SPACE - size; at++)
    HOLD(space[at] == UNTOUCHED, "%s wrote %zu bytes before what it was given", who, SPACE - size - at);
  calls++;
}

// ---- A library that gives long names ------------------------------------------------------------------------------

static const char *long_name;

const char *gpiod_line_info_get_name(struct gpiod_line_info *info) {
  const char *(*real)(struct gpiod_line_info *) = (const char *(*)(struct gpiod_line_info *))dlsym(RTLD_NEXT, __func__);
  return long_name ? long_name : real(info);
}

const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info) {
  const char *(*real)(struct gpiod_line_info *) = (const char *(*)(struct gpiod_line_info *))dlsym(RTLD_NEXT, __func__);
  return long_name ? long_name : real(info);
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

static void look_at_names(struct cgpiod_chip *chip) {
  struct cgpiod_line_info *info = fenced(sizeof *info);
  for (unsigned offset = 0; offset < cgpiod_chip_line_count(chip); offset++) {
    int failure = cgpiod_chip_line_info(chip, offset, info);
    HOLD(failure == 0, "line %u: %s", offset, strerror(failure));
    look_before(sizeof *info, "cgpiod_chip_line_info");
    size_t kept = sizeof info->label - 1;
    HOLD(strnlen(info->label, kept + 1) <= kept && strnlen(info->consumer, kept + 1) <= kept, "line %u", offset);
    HOLD(!long_name || (strlen(info->label) == kept && strlen(info->consumer) == kept), "line %u is %s, used by %s",
         offset, info->label, info->consumer);
  }
  HOLD(cgpiod_chip_line_info(chip, 1u << 20, info) > 0, "there is no such line");
}

// Edges of the line that the kernel has seen since it was opened by somebody whose name begins so.
static unsigned long edges_seen(const char *consumer) {
  FILE *table = fopen("/proc/interrupts", "re");
  HOLD(table, "/proc/interrupts: %m");
  char row[256];
  unsigned long seen = 0;
  bool found = false;
  while (!found && fgets(row, sizeof row, table))
    found = strstr(row, consumer) && sscanf(row, "%*u: %lu", &seen) == 1;
  fclose(table);
  HOLD(found, "nobody waits for %s", consumer);
  return seen;
}

static void read_edges(struct cgpiod_line *line, const char *consumer) {
  struct pollfd ready = {.fd = cgpiod_line_descriptor(line), .events = POLLIN};
  uint32_t last = 0;
  size_t most = 0;
  for (size_t capacity = 1; capacity <= 100; capacity++) {
    // Ends it where the line has come to rest.
    alarm(PATIENCE);
    HOLD(poll(&ready, 1, -1) == 1, "poll: %m");
    // For as many to be there as are asked for.
    for (unsigned long before = edges_seen(consumer); edges_seen(consumer) - before < capacity;) continue;
    struct cgpiod_edge *edges = fenced(capacity * sizeof *edges);
    size_t count = 0;
    int failure = cgpiod_line_read_edges(line, edges, capacity, &count);
    HOLD(failure == 0, "%zu edges: %s", capacity, strerror(failure));
    look_before(capacity * sizeof *edges, "cgpiod_line_read_edges");
    HOLD(count >= 1 && count <= capacity, "%zu of at most %zu edges", count, capacity);
    for (size_t at = 0; at < count; at++) {
      HOLD(edges[at].sequence > last, "edge %u after %u", edges[at].sequence, last);
      last = edges[at].sequence;
    }
    if (count > most) most = count;
  }
  alarm(0);
  HOLD(most >= 64, "no more than %zu edges at once: the line moves too seldom", most);
}

static void look_at_lines(const char *path, unsigned offset) {
  struct cgpiod_chip *chip = NULL;
  int failure = cgpiod_chip_open(path, &chip);
  HOLD(failure == 0, "%s: %s", path, strerror(failure));
  look_at_names(chip);
  char name[200] = "";
  memset(name, 'x', sizeof name - 1);
  long_name = name;
  look_at_names(chip);
  long_name = NULL;
  cgpiod_chip_close(chip);

  struct cgpiod_settings settings = {.bias = CGPIOD_BIAS_AS_IS};
  struct cgpiod_line *line = NULL;
  // The kernel cuts who asks.
  failure = cgpiod_line_open(path, offset, name, &settings, &line);
  HOLD(failure == 0, "line %u: %s", offset, strerror(failure));
  bool *asserted = fenced(sizeof *asserted);
  failure = cgpiod_line_level(line, asserted);
  HOLD(failure == 0, "level: %s", strerror(failure));
  look_before(sizeof *asserted, "cgpiod_line_level");
  read_edges(line, "xxxxxxxx");
  cgpiod_line_close(line);
}

// ---- Inputs ---------------------------------------------------------------------------------------------------------

// A device with the longest name that there can be and the last key; answers it as its readers see it.
static int make_device(char name[UINPUT_MAX_NAME_SIZE]) {
  struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL}};
  memset(setup.name, 'n', sizeof setup.name - 1);
  memcpy(name, setup.name, sizeof setup.name);
  int device = open("/dev/uinput", O_RDWR | O_CLOEXEC);
  HOLD(device >= 0, "/dev/uinput: %m");
  HOLD(ioctl(device, UI_SET_EVBIT, EV_KEY) == 0 && ioctl(device, UI_SET_KEYBIT, KEY_MAX - 1) == 0, "keys: %m");
  HOLD(ioctl(device, UI_SET_EVBIT, EV_SW) == 0 && ioctl(device, UI_SET_SWBIT, SW_MAX) == 0, "switches: %m");
  HOLD(ioctl(device, UI_DEV_SETUP, &setup) == 0 && ioctl(device, UI_DEV_CREATE) == 0, "device: %m");
  char folder[64] = "", path[128];
  HOLD(ioctl(device, UI_GET_SYSNAME(sizeof folder), folder) > 0, "its name: %m");
  for (int number = 0; number < 64; number++) {
    snprintf(path, sizeof path, "/sys/class/input/%s/event%d", folder, number);
    if (access(path, F_OK) != 0) continue;
    snprintf(path, sizeof path, "/dev/input/event%d", number);
    int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    HOLD(reader >= 0, "%s: %m", path);
    return reader;
  }
  HOLD(false, "%s has no events", folder);
}

static void look_at_input(void) {
  char name[UINPUT_MAX_NAME_SIZE];
  int device = make_device(name);
  HOLD(input_set_monotonic(device) == 0, "clock: %m");
  for (size_t size = 1; size <= 256; size++) {
    void *bits = fenced(size);
    HOLD(input_codes(device, EV_KEY, bits, size) <= (int)size, "%zu bytes of keys", size);
    look_before(size, "input_codes");
    HOLD(input_codes(device, EV_SW, fenced(size), size) <= (int)size, "%zu bytes of switches", size);
    look_before(size, "input_codes");
    int keys = input_keys(device, fenced(size), size);
    HOLD(keys >= 0 && keys <= (int)size, "%d of %zu bytes of keys that are down", keys, size);
    look_before(size, "input_keys");
    int switches = input_switches(device, fenced(size), size);
    HOLD(switches >= 0 && switches <= (int)size, "%d of %zu bytes of switches that are on", switches, size);
    look_before(size, "input_switches");
  }
  close(device);
}

// ---- Pages ----------------------------------------------------------------------------------------------------------

static int written = 1;

static void *touch(void *nothing) {
  touch_stack();
  return nothing;
}

static void look_at_pages(void) {
  // As much of a stack as it touches, and room for what calls it.
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  HOLD(pthread_attr_setstacksize(&attributes, 160 * 1024) == 0, "stack");
  HOLD(pthread_create(&thread, &attributes, touch, NULL) == 0 && pthread_join(thread, NULL) == 0, "thread");
  written = 2;
  release_code();
  HOLD(written == 2 && strcmp(cgpiod_version(), gpiod_api_version()) == 0, "it gave back what had been written");
  calls += 2;
}

// ---- Samples --------------------------------------------------------------------------------------------------------

// In place, so that what is read ends at the fence as well. This processor's own instructions are to round as any other's.
static void look_at_samples(void) {
  enum { MOST = 100 };
  int16_t before[MOST], next = 0;
  for (size_t count = 0; count <= MOST; count++) {
    for (int gain = 0; gain <= INT16_MAX; gain += 1057) {
      for (size_t at = 0; at < count; at++) before[at] = next = (int16_t)(next + 7919);
      int16_t *samples = memcpy(fenced(count * sizeof *samples), before, count * sizeof *samples);
      scale_samples(samples, samples, (long)count, (int16_t)gain);
      look_before(count * sizeof *samples, "scale_samples");
      for (size_t at = 0; at < count; at++)
        HOLD(samples[at] == floor(before[at] * gain / 32768.0 + 0.5), "%d times %d became %d", before[at], gain,
             samples[at]);
    }
  }
}

int main(int count, char **words) {
  HOLD(count == 3, "expected a chip and a line");
  look_at_lines(words[1], (unsigned)atoi(words[2]));
  look_at_input();
  look_at_pages();
  look_at_samples();
  printf("%d calls between fences\n", calls);
}
