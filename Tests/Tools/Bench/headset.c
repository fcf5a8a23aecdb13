// A message bus with BlueZ, bluez-alsa and a headset, as far as a program sees them that plays to another port. It is one
// that is connected, and turns its volume ten times a second.
//
//   gcc -ITests/Plugins/BusStandIn/include headset.c Tests/Plugins/BusStandIn/*.c -lsystemd -o headset
//   headset BUS.CONF ADDRESS there|away       prints "ready"; ends when its standard input does
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "BusStandIn.h"

static const char device[] = "/org/bluez/hci0/dev_00_1A_7D_DA_71_13";
static const char transport[] = "/org/bluez/hci0/dev_00_1A_7D_DA_71_13/fd0";
static const char pcm[] = "/org/bluealsa/hci0/dev_00_1A_7D_DA_71_13/a2dpsrc/sink";
enum { tenth_of_a_second = 100, soft = 60, loud = 80 };

int main(int count, char **words) {
  if (count != 4) return 2;
  const int bus = standin_bus_start(words[1]);
  struct standin *alsa = NULL;
  struct transports *bluez = NULL;
  if (bus < 0 || standin_open(words[2], "org.bluealsa", false, &alsa) < 0 ||
      transports_open(words[2], "org.bluez", &bluez) < 0)
    return 1;
  const bool is_there = strcmp(words[3], "there") == 0;
  if (is_there) {
    transports_add(bluez, transport, device, false, soft);
    standin_offer(alsa, pcm, device, "A2DP-source", "sink");
  }
  puts("ready");
  fflush(stdout);
  struct pollfd input = {.fd = 0, .events = POLLIN};
  for (int turns = 0; poll(&input, 1, tenth_of_a_second) == 0; turns += 1) {
    if (standin_serve(alsa) < 0 || transports_serve(bluez) < 0) return 1;
    if (is_there) transports_turn(bluez, transport, turns % 2 == 0 ? loud : soft);
  }
  standin_process_stop(bus);
  return 0;
}
