#include "BusStandIn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"

static const char objects[] = "org.freedesktop.DBus.ObjectManager";
static const char media[] = "org.bluez.Media1";
static const char endpoint[] = "org.bluez.MediaEndpoint1";
static const char source[] = "0000110a-0000-1000-8000-00805f9b34fb";
enum { sbc = 0 };
// 48 kHz, joint stereo; 16 blocks, 8 subbands, by loudness; 2 to 53 bits.
static const uint8_t configuration[] = {0x11, 0x15, 2, 53};

struct endpoints {
  sd_bus *bus;
  // Who is asked, and where: empty until the endpoint has been registered.
  char owner[32];
  char path[128];
  // Who was killed: what it had still sent may come later.
  char killed[32];
};

static int append_controller(sd_bus_message *message) {
  return sd_bus_message_append(message, "a{oa{sa{sv}}}", 1, "/org/bluez/hci0", 2, "org.bluez.Adapter1", 1, "Address",
                               "s", "00:11:22:33:44:55", media, 0);
}

static int reply_with_list(struct endpoints *endpoints, sd_bus_message *call) {
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_new_method_return(call, &reply);
  if (result >= 0) result = append_controller(reply);
  return connection_send(endpoints->bus, reply, result);
}

// Keeps the endpoint that plays with SBC, which every headset understands.
static int keep(struct endpoints *endpoints, sd_bus_message *call) {
  const char *path = NULL, *name = NULL, *uuid = "";
  uint8_t codec = UINT8_MAX;
  int result = sd_bus_message_read(call, "o", &path);
  if (result >= 0) result = sd_bus_message_enter_container(call, 'a', "{sv}");
  while (result >= 0 && (result = sd_bus_message_enter_container(call, 'e', "sv")) > 0) {
    result = sd_bus_message_read(call, "s", &name);
    if (result >= 0 && strcmp(name, "UUID") == 0)
      result = sd_bus_message_read(call, "v", "s", &uuid);
    else if (result >= 0 && strcmp(name, "Codec") == 0)
      result = sd_bus_message_read(call, "v", "y", &codec);
    else if (result >= 0)
      result = sd_bus_message_skip(call, "v");
    if (result >= 0) result = sd_bus_message_exit_container(call);
  }
  if (result < 0 || strcasecmp(uuid, source) != 0 || codec != sbc || endpoints->path[0] != 0) return result;
  const char *sender = sd_bus_message_get_sender(call);
  if (strcmp(sender, endpoints->killed) == 0) return 0;
  snprintf(endpoints->owner, sizeof endpoints->owner, "%s", sender);
  snprintf(endpoints->path, sizeof endpoints->path, "%s", path);
  return 0;
}

static int take(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct endpoints *endpoints = context;
  if (!sd_bus_message_is_method_call(message, NULL, NULL)) return 0;
  int result = 0;
  if (sd_bus_message_is_method_call(message, objects, "GetManagedObjects"))
    result = reply_with_list(endpoints, message);
  else {
    if (sd_bus_message_is_method_call(message, media, "RegisterEndpoint")) result = keep(endpoints, message);
    if (result >= 0) result = sd_bus_reply_method_return(message, NULL);
  }
  return result < 0 ? result : 1;
}

int endpoints_open(const char *address, struct endpoints **endpoints) {
  struct endpoints *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return -ENOMEM;
  const int result = connection_open(address, "org.bluez", take, opened, &opened->bus);
  if (result < 0)
    endpoints_close(opened);
  else
    *endpoints = opened;
  return result;
}

void endpoints_close(struct endpoints *endpoints) {
  sd_bus_flush_close_unref(endpoints->bus);
  free(endpoints);
}

bool endpoints_is_registered(struct endpoints *endpoints) { return endpoints->path[0] != 0; }

void endpoints_forget(struct endpoints *endpoints) {
  memcpy(endpoints->killed, endpoints->owner, sizeof endpoints->killed);
  endpoints->path[0] = 0;
}

int endpoints_connect(struct endpoints *endpoints, const char *transport, const char *device) {
  sd_bus_message *call = NULL;
  int result = sd_bus_message_new_method_call(endpoints->bus, &call, endpoints->owner, endpoints->path, endpoint,
                                              "SetConfiguration");
  if (result >= 0)
    result = sd_bus_message_append(call, "oa{sv}", transport, 5, "Device", "o", device, "UUID", "s", source, "Codec", "y",
                                   sbc, "State", "s", "idle", "Configuration", "ay", 4, configuration[0],
                                   configuration[1], configuration[2], configuration[3]);
  return connection_send(endpoints->bus, call, result);
}

int endpoints_disconnect(struct endpoints *endpoints, const char *transport) {
  sd_bus_message *call = NULL;
  int result = sd_bus_message_new_method_call(endpoints->bus, &call, endpoints->owner, endpoints->path, endpoint,
                                              "ClearConfiguration");
  if (result >= 0) result = sd_bus_message_append(call, "o", transport);
  return connection_send(endpoints->bus, call, result);
}

int endpoints_serve(struct endpoints *endpoints) { return connection_serve(endpoints->bus); }
