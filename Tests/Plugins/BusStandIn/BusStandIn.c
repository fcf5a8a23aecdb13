#include "BusStandIn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"

enum { most_pcms = 8 };

static const char manager[] = "org.bluealsa.Manager1";
static const char objects[] = "org.freedesktop.DBus.ObjectManager";
static const char root[] = "/org/bluealsa";

struct pcm {
  char path[128];
  char device[64];
  char transport[32];
  char mode[16];
};

struct standin {
  sd_bus *bus;
  bool is_old;
  char refusal[128];
  int calls;
  struct pcm pcms[most_pcms];
};

static int append_properties(sd_bus_message *message, const struct pcm *pcm) {
  return sd_bus_message_append(message, "a{sv}", 5, "Device", "o", pcm->device, "Sequence", "u", 1u, "Transport", "s",
                               pcm->transport, "Mode", "s", pcm->mode, "Running", "b", 0);
}

// A PCM as an object with several interfaces.
static int append_interfaces(sd_bus_message *message, const struct pcm *pcm) {
  return sd_bus_message_append(message, "a{sa{sv}}", 2, "org.freedesktop.DBus.Properties", 0, "org.bluealsa.PCM1", 5,
                               "Device", "o", pcm->device, "Sequence", "u", 1u, "Transport", "s", pcm->transport,
                               "Mode", "s", pcm->mode, "Running", "b", 0);
}

static int reply_with_list(struct standin *standin, sd_bus_message *call) {
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_new_method_return(call, &reply);
  const char *contents = standin->is_old ? "oa{sv}" : "oa{sa{sv}}";
  if (result >= 0) result = sd_bus_message_open_container(reply, 'a', standin->is_old ? "{oa{sv}}" : "{oa{sa{sv}}}");
  for (int index = 0; index < most_pcms && result >= 0; index += 1) {
    const struct pcm *pcm = &standin->pcms[index];
    if (pcm->path[0] == 0) continue;
    result = sd_bus_message_open_container(reply, 'e', contents);
    if (result >= 0) result = sd_bus_message_append(reply, "o", pcm->path);
    if (result >= 0) result = standin->is_old ? append_properties(reply, pcm) : append_interfaces(reply, pcm);
    if (result >= 0) result = sd_bus_message_close_container(reply);
  }
  if (result >= 0) result = sd_bus_message_close_container(reply);
  return connection_send(standin->bus, reply, result);
}

static int take(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct standin *standin = context;
  if (!sd_bus_message_is_method_call(message, NULL, NULL)) return 0;
  standin->calls += 1;
  if (standin->refusal[0] != 0) return sd_bus_reply_method_errorf(message, standin->refusal, "refused by the test");
  const bool is_asked = standin->is_old ? sd_bus_message_is_method_call(message, manager, "GetPCMs")
                                        : sd_bus_message_is_method_call(message, objects, "GetManagedObjects");
  if (is_asked && strcmp(sd_bus_message_get_path(message), root) == 0) {
    const int result = reply_with_list(standin, message);
    return result < 0 ? result : 1;
  }
  return sd_bus_reply_method_errorf(message, SD_BUS_ERROR_UNKNOWN_METHOD, "not in this version");
}

int standin_open(const char *address, const char *name, bool is_old, struct standin **standin) {
  struct standin *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return -ENOMEM;
  opened->is_old = is_old;
  const int result = connection_open(address, name, take, opened, &opened->bus);
  if (result < 0)
    standin_close(opened);
  else
    *standin = opened;
  return result;
}

void standin_close(struct standin *standin) {
  sd_bus_flush_close_unref(standin->bus);
  free(standin);
}

int standin_offer(struct standin *standin, const char *path, const char *device, const char *transport,
                  const char *mode) {
  struct pcm *pcm = NULL;
  for (int index = 0; index < most_pcms && pcm == NULL; index += 1)
    if (standin->pcms[index].path[0] == 0) pcm = &standin->pcms[index];
  if (pcm == NULL) return -ENOSPC;
  strncpy(pcm->path, path, sizeof pcm->path - 1);
  strncpy(pcm->device, device, sizeof pcm->device - 1);
  strncpy(pcm->transport, transport, sizeof pcm->transport - 1);
  strncpy(pcm->mode, mode, sizeof pcm->mode - 1);
  sd_bus_message *signal = NULL;
  int result = standin->is_old ? sd_bus_message_new_signal(standin->bus, &signal, root, manager, "PCMAdded")
                               : sd_bus_message_new_signal(standin->bus, &signal, root, objects, "InterfacesAdded");
  if (result >= 0) result = sd_bus_message_append(signal, "o", path);
  if (result >= 0) result = standin->is_old ? append_properties(signal, pcm) : append_interfaces(signal, pcm);
  return connection_send(standin->bus, signal, result);
}

int standin_withdraw(struct standin *standin, const char *path) {
  for (int index = 0; index < most_pcms; index += 1)
    if (strcmp(standin->pcms[index].path, path) == 0) memset(&standin->pcms[index], 0, sizeof standin->pcms[index]);
  sd_bus_message *signal = NULL;
  int result = standin->is_old ? sd_bus_message_new_signal(standin->bus, &signal, root, manager, "PCMRemoved")
                               : sd_bus_message_new_signal(standin->bus, &signal, root, objects, "InterfacesRemoved");
  if (result >= 0) result = sd_bus_message_append(signal, "o", path);
  if (result >= 0 && !standin->is_old) result = sd_bus_message_append(signal, "as", 1, "org.bluealsa.PCM1");
  return connection_send(standin->bus, signal, result);
}

int standin_offer_other(struct standin *standin, const char *path) {
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(standin->bus, &signal, root, objects, "InterfacesAdded");
  if (result >= 0) result = sd_bus_message_append(signal, "oa{sa{sv}}", path, 1, "org.bluealsa.RFCOMM1", 0);
  return connection_send(standin->bus, signal, result);
}

void standin_refuse(struct standin *standin, const char *error) {
  memset(standin->refusal, 0, sizeof standin->refusal);
  if (error != NULL) strncpy(standin->refusal, error, sizeof standin->refusal - 1);
}

int standin_serve(struct standin *standin) {
  standin->calls = 0;
  const int result = connection_serve(standin->bus);
  return result < 0 ? result : standin->calls;
}
