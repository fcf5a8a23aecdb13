#include "BluezStandIn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"

enum { most_devices = 8, most_answers = 8, most_unanswered = 4 };

static const char device_interface[] = "org.bluez.Device1";
static const char controller_interface[] = "org.bluez.Adapter1";
static const char property_interface[] = "org.freedesktop.DBus.Properties";
static const char objects[] = "org.freedesktop.DBus.ObjectManager";
static const char controller_path[] = "/org/bluez/hci0";

struct device {
  char path[64];
  char address[32];
  char name[128];
  char icon[32];
  char service[64];
  char service_when_paired[64];
  bool is_paired;
  bool is_trusted;
  bool is_connected;
  bool is_in_reach;
  bool is_heard;
  // It has not been heard yet, and is not an object.
  bool is_hidden;
};

struct answer {
  char member[32];
  char error[64];
};

struct bluez {
  sd_bus *bus;
  bool has_controller;
  bool is_powered;
  bool is_pairable;
  bool is_searching;
  struct device devices[most_devices];
  struct answer answers[most_answers];
  // The calls that it has not answered, the oldest first.
  sd_bus_message *unanswered[most_unanswered];
  int unanswered_count;
  char agent[64];
  char reply[128];
  char calls[2048];
  char taken[2048];
};

static void copy(char *to, size_t size, const char *from) { snprintf(to, size, "%s", from == NULL ? "" : from); }

static struct device *device_at(struct bluez *bluez, const char *path) {
  for (int index = 0; index < most_devices; index += 1)
    if (bluez->devices[index].path[0] != 0 && strcmp(bluez->devices[index].path, path) == 0)
      return &bluez->devices[index];
  return NULL;
}

// MARK: - What is told of the objects

static int append_device_properties(sd_bus_message *message, const struct device *device) {
  int result = sd_bus_message_open_container(message, 'a', "{sv}");
  if (result < 0) return result;
  sd_bus_message_append(message, "{sv}", "Adapter", "o", controller_path);
  sd_bus_message_append(message, "{sv}", "Address", "s", device->address);
  sd_bus_message_append(message, "{sv}", "Alias", "s", device->name);
  sd_bus_message_append(message, "{sv}", "Name", "s", device->name);
  sd_bus_message_append(message, "{sv}", "Class", "u", 0x240404u);
  if (device->icon[0] != 0) sd_bus_message_append(message, "{sv}", "Icon", "s", device->icon);
  if (device->service[0] == 0)
    sd_bus_message_append(message, "{sv}", "UUIDs", "as", 0);
  else
    sd_bus_message_append(message, "{sv}", "UUIDs", "as", 2, "0000111e-0000-1000-8000-00805f9b34fb", device->service);
  if (device->is_heard) sd_bus_message_append(message, "{sv}", "RSSI", "n", -60);
  sd_bus_message_append(message, "{sv}", "Paired", "b", device->is_paired);
  sd_bus_message_append(message, "{sv}", "Trusted", "b", device->is_trusted);
  sd_bus_message_append(message, "{sv}", "Connected", "b", device->is_connected);
  return sd_bus_message_close_container(message);
}

static int append_controller_properties(sd_bus_message *message, const struct bluez *bluez) {
  return sd_bus_message_append(message, "a{sv}", 3, "Address", "s", "00:11:22:33:44:55", "Powered", "b",
                               bluez->is_powered, "Pairable", "b", bluez->is_pairable);
}

// The object's path, and its interfaces. `device` is NULL for the controller.
static int append_object(sd_bus_message *message, const struct bluez *bluez, const struct device *device) {
  int result = sd_bus_message_append(message, "o", device == NULL ? controller_path : device->path);
  if (result >= 0) result = sd_bus_message_open_container(message, 'a', "{sa{sv}}");
  if (result >= 0) result = sd_bus_message_append(message, "{sa{sv}}", "org.freedesktop.DBus.Introspectable", 0);
  if (result >= 0) result = sd_bus_message_open_container(message, 'e', "sa{sv}");
  if (result >= 0)
    result = sd_bus_message_append(message, "s", device == NULL ? controller_interface : device_interface);
  if (result >= 0)
    result =
      device == NULL ? append_controller_properties(message, bluez) : append_device_properties(message, device);
  if (result >= 0) result = sd_bus_message_close_container(message);
  return result < 0 ? result : sd_bus_message_close_container(message);
}

static int emit_added(struct bluez *bluez, const struct device *device) {
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(bluez->bus, &signal, "/", objects, "InterfacesAdded");
  if (result >= 0) result = append_object(signal, bluez, device);
  return connection_send(bluez->bus, signal, result);
}

static int emit_removed(struct bluez *bluez, const char *path, const char *interface) {
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(bluez->bus, &signal, "/", objects, "InterfacesRemoved");
  if (result >= 0) result = sd_bus_message_append(signal, "oas", path, 2, "org.freedesktop.DBus.Properties", interface);
  return connection_send(bluez->bus, signal, result);
}

static int emit_changed(struct bluez *bluez, const char *path, const char *property, bool value) {
  sd_bus_message *signal = NULL;
  const char *interface = strcmp(path, controller_path) == 0 ? controller_interface : device_interface;
  int result = sd_bus_message_new_signal(bluez->bus, &signal, path, property_interface, "PropertiesChanged");
  if (result >= 0) result = sd_bus_message_append(signal, "sa{sv}as", interface, 1, property, "b", value, 0);
  return connection_send(bluez->bus, signal, result);
}

int bluez_rename(struct bluez *bluez, const char *path, const char *property, const char *name) {
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(bluez->bus, &signal, path, property_interface, "PropertiesChanged");
  if (result >= 0) result = sd_bus_message_append(signal, "sa{sv}as", device_interface, 1, property, "s", name, 0);
  return connection_send(bluez->bus, signal, result);
}

static int emit_heard(struct bluez *bluez, struct device *device, bool is_heard) {
  if (device->is_heard == is_heard) return 0;
  device->is_heard = is_heard;
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(bluez->bus, &signal, device->path, property_interface, "PropertiesChanged");
  if (result >= 0)
    result = is_heard ? sd_bus_message_append(signal, "sa{sv}as", device_interface, 1, "RSSI", "n", -60, 0)
                      : sd_bus_message_append(signal, "sa{sv}as", device_interface, 0, 1, "RSSI");
  return connection_send(bluez->bus, signal, result);
}

static int emit_services(struct bluez *bluez, struct device *device) {
  if (device->service_when_paired[0] == 0) return 0;
  copy(device->service, sizeof device->service, device->service_when_paired);
  sd_bus_message *signal = NULL;
  int result = sd_bus_message_new_signal(bluez->bus, &signal, device->path, property_interface, "PropertiesChanged");
  if (result >= 0)
    result =
      sd_bus_message_append(signal, "sa{sv}as", device_interface, 1, "UUIDs", "as", 1, device->service, 0);
  return connection_send(bluez->bus, signal, result);
}

static int reply_with_list(struct bluez *bluez, sd_bus_message *call) {
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_new_method_return(call, &reply);
  if (result >= 0) result = sd_bus_message_open_container(reply, 'a', "{oa{sa{sv}}}");
  for (int index = -1; index < most_devices && result >= 0; index += 1) {
    if (index < 0 ? !bluez->has_controller : bluez->devices[index].path[0] == 0) continue;
    if (index >= 0 && bluez->devices[index].is_hidden) continue;
    result = sd_bus_message_open_container(reply, 'e', "oa{sa{sv}}");
    if (result >= 0) result = append_object(reply, bluez, index < 0 ? NULL : &bluez->devices[index]);
    if (result >= 0) result = sd_bus_message_close_container(reply);
  }
  if (result >= 0) result = sd_bus_message_close_container(reply);
  return connection_send(bluez->bus, reply, result);
}

// MARK: - Calls

static bool *flag(struct bluez *bluez, const char *path, const char *property) {
  if (strcmp(path, controller_path) == 0)
    return strcmp(property, "Powered") == 0 ? &bluez->is_powered : &bluez->is_pairable;
  struct device *device = device_at(bluez, path);
  if (device == NULL) return NULL;
  if (strcmp(property, "Paired") == 0) return &device->is_paired;
  return strcmp(property, "Trusted") == 0 ? &device->is_trusted : &device->is_connected;
}

int bluez_set(struct bluez *bluez, const char *path, const char *property, bool value) {
  bool *found = flag(bluez, path, property);
  if (found == NULL) return -ENOENT;
  *found = value;
  return emit_changed(bluez, path, property, value);
}

bool bluez_get(struct bluez *bluez, const char *path, const char *property) {
  const bool *found = flag(bluez, path, property);
  return found != NULL && *found;
}

static void remove_device(struct bluez *bluez, const char *path) {
  struct device *device = device_at(bluez, path);
  if (device == NULL) return;
  memset(device, 0, sizeof *device);
  emit_removed(bluez, path, device_interface);
}

static void search(struct bluez *bluez, bool is_searching) {
  bluez->is_searching = is_searching;
  for (int index = 0; index < most_devices; index += 1) {
    struct device *device = &bluez->devices[index];
    if (device->is_hidden && is_searching) {
      device->is_hidden = false;
      device->is_heard = true;
      emit_added(bluez, device);
    } else if (device->path[0] != 0 && !device->is_hidden)
      emit_heard(bluez, device, is_searching && device->is_in_reach && !device->is_connected);
  }
}

// What follows from a call that is obeyed.
static void obey(struct bluez *bluez, sd_bus_message *call, const char *member, struct device *device) {
  const char *text = NULL, *other = NULL;
  if (strcmp(member, "RegisterAgent") == 0) {
    sd_bus_message_read(call, "os", &text, &other);
    copy(bluez->agent, sizeof bluez->agent, sd_bus_message_get_sender(call));
  } else if (strcmp(member, "Set") == 0) {
    int value = 0;
    sd_bus_message_read(call, "ssv", &text, &other, "b", &value);
    bluez_set(bluez, sd_bus_message_get_path(call), other, value);
  } else if (strcmp(member, "RemoveDevice") == 0) {
    sd_bus_message_read(call, "o", &text);
    remove_device(bluez, text);
  } else if (strcmp(member, "StartDiscovery") == 0 || strcmp(member, "StopDiscovery") == 0) {
    search(bluez, strcmp(member, "StartDiscovery") == 0);
  } else if (device != NULL && strcmp(member, "Pair") == 0) {
    bluez_set(bluez, device->path, "Paired", true);
    emit_services(bluez, device);
  } else if (device != NULL && strcmp(member, "Connect") == 0) {
    bluez_set(bluez, device->path, "Connected", true);
  }
}

static void note(struct bluez *bluez, sd_bus_message *call, const char *member, const struct device *device) {
  const size_t length = strlen(bluez->calls);
  const char *interface = NULL, *property = NULL;
  if (strcmp(member, "Set") == 0) {
    int value = 0;
    sd_bus_message_read(call, "ssv", &interface, &property, "b", &value);
    snprintf(bluez->calls + length, sizeof bluez->calls - length, "%s=%d ", property, value);
    sd_bus_message_rewind(call, true);
  } else {
    snprintf(bluez->calls + length, sizeof bluez->calls - length, "%s%s%s ", member, device == NULL ? "" : ":",
             device == NULL ? "" : device->address + strlen(device->address) - 2);
  }
}

// Refuses a call with this error, or obeys it where that is NULL.
static int answer(struct bluez *bluez, sd_bus_message *call, const char *error) {
  if (error != NULL) return sd_bus_reply_method_errorf(call, error, "refused by the test");
  if (sd_bus_message_is_method_call(call, objects, "GetManagedObjects")) return reply_with_list(bluez, call);
  const char *member = sd_bus_message_get_member(call);
  struct device *device = device_at(bluez, sd_bus_message_get_path(call));
  // A search has been answered when it finds somebody.
  const bool is_search = strcmp(member, "StartDiscovery") == 0;
  if (!is_search) obey(bluez, call, member, device);
  const int result = sd_bus_reply_method_return(call, NULL);
  if (is_search) obey(bluez, call, member, device);
  return result;
}

static int keep(struct bluez *bluez, sd_bus_message *call) {
  if (bluez->unanswered_count == most_unanswered) return -ENOSPC;
  bluez->unanswered[bluez->unanswered_count] = sd_bus_message_ref(call);
  bluez->unanswered_count += 1;
  return 0;
}

// BlueZ neither begins nor ends a search while the start of one is not answered.
static bool is_busy(const struct bluez *bluez, const char *member) {
  if (strcmp(member, "StartDiscovery") != 0 && strcmp(member, "StopDiscovery") != 0) return false;
  for (int index = 0; index < bluez->unanswered_count; index += 1)
    if (strcmp(sd_bus_message_get_member(bluez->unanswered[index]), "StartDiscovery") == 0) return true;
  return false;
}

static int take(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct bluez *bluez = context;
  if (!sd_bus_message_is_method_call(message, NULL, NULL)) return 0;
  const char *member = sd_bus_message_get_member(message);
  if (!sd_bus_message_is_method_call(message, objects, "GetManagedObjects"))
    note(bluez, message, member, device_at(bluez, sd_bus_message_get_path(message)));
  if (is_busy(bluez, member)) return sd_bus_reply_method_errorf(message, "org.bluez.Error.InProgress", "busy");
  if (strcmp(member, "RequestDefaultAgent") == 0 && bluez->agent[0] == 0)
    return sd_bus_reply_method_errorf(message, "org.bluez.Error.DoesNotExist", "Does Not Exist");
  int result = 0;
  const struct answer *found = NULL;
  for (int index = 0; index < most_answers && found == NULL; index += 1)
    if (strcmp(bluez->answers[index].member, member) == 0) found = &bluez->answers[index];
  if (found != NULL && found->error[0] == 0)
    result = keep(bluez, message);
  else
    result = answer(bluez, message, found == NULL ? NULL : found->error);
  return result < 0 ? result : 1;
}

static int take_reply(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct bluez *bluez = context;
  const char *text = NULL;
  const sd_bus_error *failure = sd_bus_message_get_error(message);
  if (failure != NULL)
    text = failure->name;
  else if (sd_bus_message_read(message, "s", &text) <= 0)
    text = "yes";
  copy(bluez->reply, sizeof bluez->reply, text);
  return 0;
}

// MARK: - For the test

int bluez_open(const char *address, const char *name, struct bluez **bluez) {
  struct bluez *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return -ENOMEM;
  const int result = connection_open(address, name, take, opened, &opened->bus);
  if (result < 0)
    bluez_close(opened);
  else
    *bluez = opened;
  return result;
}

void bluez_close(struct bluez *bluez) {
  for (int index = 0; index < bluez->unanswered_count; index += 1) sd_bus_message_unref(bluez->unanswered[index]);
  sd_bus_flush_close_unref(bluez->bus);
  free(bluez);
}

int bluez_add_controller(struct bluez *bluez, bool is_powered, bool is_pairable) {
  bluez->has_controller = true;
  bluez->is_powered = is_powered;
  bluez->is_pairable = is_pairable;
  return emit_added(bluez, NULL);
}

int bluez_remove_controller(struct bluez *bluez) {
  for (int index = 0; index < most_devices; index += 1)
    if (bluez->devices[index].path[0] != 0) {
      emit_removed(bluez, bluez->devices[index].path, device_interface);
      memset(&bluez->devices[index], 0, sizeof bluez->devices[index]);
    }
  bluez->has_controller = false;
  return emit_removed(bluez, controller_path, controller_interface);
}

int bluez_add_device(struct bluez *bluez, const struct bluez_device *device) {
  struct device *added = NULL;
  for (int index = 0; index < most_devices && added == NULL; index += 1)
    if (bluez->devices[index].path[0] == 0) added = &bluez->devices[index];
  if (added == NULL) return -ENOSPC;
  snprintf(added->path, sizeof added->path, "%s/dev_%s", controller_path, device->address);
  for (char *letter = added->path; *letter != 0; letter += 1)
    if (*letter == ':') *letter = '_';
  copy(added->address, sizeof added->address, device->address);
  copy(added->name, sizeof added->name, device->name);
  copy(added->icon, sizeof added->icon, device->icon);
  copy(added->service, sizeof added->service, device->service);
  copy(added->service_when_paired, sizeof added->service_when_paired, device->service_when_paired);
  added->is_paired = device->is_paired;
  added->is_trusted = device->is_trusted;
  added->is_connected = device->is_connected;
  added->is_in_reach = device->is_in_reach;
  added->is_heard = device->is_in_reach && bluez->is_searching;
  added->is_hidden = device->is_in_reach && !device->is_paired && !bluez->is_searching;
  return added->is_hidden ? 0 : emit_added(bluez, added);
}

void bluez_answer(struct bluez *bluez, const char *member, const char *error) {
  for (int index = 0; index < most_answers; index += 1) {
    struct answer *answer = &bluez->answers[index];
    if (answer->member[0] != 0 && strcmp(answer->member, member) != 0) continue;
    copy(answer->member, sizeof answer->member, error == NULL ? "" : member);
    copy(answer->error, sizeof answer->error, error);
    return;
  }
}

int bluez_answer_late(struct bluez *bluez, const char *error) {
  if (bluez->unanswered_count == 0) return -ENOENT;
  sd_bus_message *call = bluez->unanswered[0];
  bluez->unanswered_count -= 1;
  for (int index = 0; index < bluez->unanswered_count; index += 1)
    bluez->unanswered[index] = bluez->unanswered[index + 1];
  const int result = answer(bluez, call, error);
  sd_bus_message_unref(call);
  return result < 0 ? result : sd_bus_flush(bluez->bus);
}

int bluez_ask(struct bluez *bluez, const char *agent, const char *member, const char *path, const char *service) {
  sd_bus_message *call = NULL;
  bluez->reply[0] = 0;
  int result =
    sd_bus_message_new_method_call(bluez->bus, &call, agent, "/jackdaw/agent", "org.bluez.Agent1", member);
  if (result >= 0) result = sd_bus_message_append(call, "o", path);
  if (result >= 0 && service != NULL) result = sd_bus_message_append(call, "s", service);
  if (result >= 0 && strcmp(member, "RequestConfirmation") == 0) result = sd_bus_message_append(call, "u", 123456u);
  if (result >= 0) result = sd_bus_call_async(bluez->bus, NULL, call, take_reply, bluez, UINT64_MAX);
  sd_bus_message_unref(call);
  return result < 0 ? result : sd_bus_flush(bluez->bus);
}

const char *bluez_agent(struct bluez *bluez) { return bluez->agent; }

const char *bluez_reply(struct bluez *bluez) { return bluez->reply; }

const char *bluez_calls(struct bluez *bluez) {
  memcpy(bluez->taken, bluez->calls, sizeof bluez->taken);
  bluez->calls[0] = 0;
  return bluez->taken;
}

int bluez_serve(struct bluez *bluez) { return connection_serve(bluez->bus); }
