// Makes up an input device and moves it as it is told, until its standard input ends or it is killed: then it is unplugged.
//
//   inputs NAME key:CODE|rel:CODE…
//
// Each line is one event and its report: "key CODE 1", "key CODE 0", "rel CODE COUNT"; or, with "storm CODE TIME", for
// this many ms an axis counts to and fro, two thousand times a second. CODE is the kernel's number.
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int type_of(const char *word) { return strncmp(word, "rel", 3) == 0 ? EV_REL : EV_KEY; }

static void send_event(int device, int type, int code, int value) {
  struct input_event events[2] = {{.type = type, .code = code, .value = value}, {.type = EV_SYN, .code = SYN_REPORT}};
  if (write(device, events, sizeof events) != sizeof events) fail("event");
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void storm(int device, int code, int time) {
  for (long end = now() + time, counts = 40; now() < end; counts = -counts) {
    send_event(device, EV_REL, code, (int)counts);
    usleep(500);
  }
}

int main(int count, char **words) {
  struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = 1, .product = 1}};
  int device = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
  if (device < 0 || count < 3) fail("/dev/uinput");
  snprintf(setup.name, sizeof setup.name, "%s", words[1]);
  for (int at = 2; at < count; at++) {
    int type = type_of(words[at]), code = atoi(words[at] + 4);
    if (ioctl(device, UI_SET_EVBIT, type) < 0) fail("type");
    if (ioctl(device, type == EV_REL ? UI_SET_RELBIT : UI_SET_KEYBIT, code) < 0) fail(words[at]);
  }
  if (ioctl(device, UI_DEV_SETUP, &setup) < 0 || ioctl(device, UI_DEV_CREATE) < 0) fail(setup.name);
  char word[8];
  int code, value;
  while (scanf("%7s %d %d", word, &code, &value) == 3) {
    if (strcmp(word, "storm") == 0) {
      storm(device, code, value);
    } else {
      send_event(device, type_of(word), code, value);
    }
  }
}
