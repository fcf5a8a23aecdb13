#include "BusStandIn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"

enum { most_transports = 4 };

static const char objects[] = "org.freedesktop.DBus.ObjectManager";
static const char properties[] = "org.freedesktop.DBus.Properties";
static const char interface[] = "org.bluez.MediaTransport1";

struct transport {
  char path[128];
  char device[64];
  const char *uuid;
  bool is_playing;
  int volume;
};

struct transports {
  sd_bus *bus;
  char refused[32];
  char client[32];
  char whom[32];
  int sets;
  int last;
  struct transport all[most_transports];
};

static const char *state(const struct transport *transport) { return transport->is_playing ? "active" : "idle"; }

static int append(sd_bus_message *message, const struct transport *transport) {
  // The volume comes last, and is left out where there is none.
  return sd_bus_message_append(message, "a{sa{sv}}", 1, interface, transport->volume < 0 ? 3 : 4, "Device", "o",
                               transport->device, "UUID", "s", transport->uuid, "State", "s", state(transport),
                               "Volume", "q", (int)transport->volume);
}

static int reply_with_list(struct transports *standin, sd_bus_message *call) {
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_new_method_return(call, &reply);
  if (result >= 0) result = sd_bus_message_open_container(reply, 'a', "{oa{sa{sv}}}");
  for (int index = 0; index < most_transports && result >= 0; index += 1) {
    const struct transport *transport = &standin->all[index];
    if (transport->path[0] == 0) continue;
    result = sd_bus_message_open_container(reply, 'e', "oa{sa{sv}}");
    if (result >= 0) result = sd_bus_message_append(reply, "o", transport->path);
    if (result >= 0) result = append(reply, transport);
    if (result >= 0) result = sd_bus_message_close_container(reply);
  }
  if (result >= 0) result = sd_bus_message_close_container(reply);
  return connection_send(standin->bus, reply, result);
}

static int take(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct transports *standin = context;
  const char *sender = sd_bus_message_get_sender(message);
  if (sender != NULL && sd_bus_message_is_method_call(message, NULL, NULL))
    strncpy(standin->client, sender, sizeof standin->client - 1);
  const bool is_refused = sd_bus_message_is_method_call(message, NULL, standin->refused);
  if (sd_bus_message_is_method_call(message, objects, "GetManagedObjects")) {
    if (is_refused) return sd_bus_reply_method_errorf(message, SD_BUS_ERROR_UNKNOWN_METHOD, "not yet");
    const int result = reply_with_list(standin, message);
    return result < 0 ? result : 1;
  }
  if (!sd_bus_message_is_method_call(message, properties, "Set")) return 0;
  const char *owner = NULL, *name = NULL;
  uint16_t volume = 0;
  const int result = sd_bus_message_read(message, "ssv", &owner, &name, "q", &volume);
  if (result < 0 || strcmp(owner, interface) != 0 || strcmp(name, "Volume") != 0)
    return sd_bus_reply_method_errorf(message, SD_BUS_ERROR_INVALID_ARGS, "not what BlueZ has");
  standin->sets += 1;
  standin->last = volume;
  if (is_refused) return sd_bus_reply_method_errorf(message, "org.bluez.Error.Failed", "no such control");
  return sd_bus_reply_method_return(message, NULL);
}

int transports_open(const char *address, const char *name, struct transports **transports) {
  struct transports *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return -ENOMEM;
  const int result = connection_open(address, name, take, opened, &opened->bus);
  if (result < 0)
    transports_close(opened);
  else
    *transports = opened;
  return result;
}

void transports_close(struct transports *transports) {
  sd_bus_flush_close_unref(transports->bus);
  free(transports);
}

static int emit(struct transports *transports, sd_bus_message *signal, int result) {
  if (result >= 0 && transports->whom[0] != 0) result = sd_bus_message_set_destination(signal, transports->whom);
  return connection_send(transports->bus, signal, result);
}

static struct transport *find(struct transports *transports, const char *path) {
  for (int index = 0; index < most_transports; index += 1)
    if (strcmp(transports->all[index].path, path) == 0) return &transports->all[index];
  return NULL;
}

int transports_add(struct transports *transports, const char *path, const char *device, bool is_phone, int volume) {
  struct transport *transport = find(transports, "");
  if (transport == NULL) return -ENOSPC;
  strncpy(transport->path, path, sizeof transport->path - 1);
  strncpy(transport->device, device, sizeof transport->device - 1);
  transport->uuid = is_phone ? "0000110b-0000-1000-8000-00805f9b34fb" : "0000110a-0000-1000-8000-00805f9b34fb";
  transport->volume = volume;
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(transports->bus, &signal, "/", objects, "InterfacesAdded");
  if (result >= 0) result = sd_bus_message_append(signal, "o", path);
  if (result >= 0) result = append(signal, transport);
  return emit(transports, signal, result);
}

int transports_remove(struct transports *transports, const char *path) {
  struct transport *transport = find(transports, path);
  if (transport != NULL) memset(transport, 0, sizeof *transport);
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(transports->bus, &signal, "/", objects, "InterfacesRemoved");
  if (result >= 0) result = sd_bus_message_append(signal, "oas", path, 1, interface);
  return emit(transports, signal, result);
}

int transports_turn(struct transports *transports, const char *path, int volume) {
  struct transport *transport = find(transports, path);
  if (transport != NULL) transport->volume = volume;
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(transports->bus, &signal, path, properties, "PropertiesChanged");
  if (result >= 0) result = sd_bus_message_append(signal, "sa{sv}as", interface, 1, "Volume", "q", volume, 0);
  return emit(transports, signal, result);
}

int transports_play(struct transports *transports, const char *path, bool is_playing) {
  struct transport *transport = find(transports, path);
  if (transport == NULL) return -ENOENT;
  transport->is_playing = is_playing;
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(transports->bus, &signal, path, properties, "PropertiesChanged");
  if (result >= 0)
    result = sd_bus_message_append(signal, "sa{sv}as", interface, 1, "State", "s", state(transport), 0);
  return emit(transports, signal, result);
}

void transports_imitate(struct transports *pretender, const struct transports *transports) {
  memcpy(pretender->whom, transports->client, sizeof pretender->whom);
}

void transports_refuse(struct transports *transports, const char *member) {
  snprintf(transports->refused, sizeof transports->refused, "%s", member);
}

int transports_sets(struct transports *transports) { return transports->sets; }

int transports_last(struct transports *transports) { return transports->last; }

int transports_serve(struct transports *transports) { return connection_serve(transports->bus); }
