#pragma once

#include <stdbool.h>

/// Stands in for BlueZ on a bus of the tests: a controller, `/org/bluez/hci0`, and the devices that it is given. Does
/// nothing except in `bluez_serve`, and emits a signal for all that changes. `int` results below 0 are a negative errno.

struct bluez;

struct bluez_device {
  const char *address;
  const char *name;
  /// Such as "audio-headset"; NULL: none.
  const char *icon;
  /// The service that is known before it is paired; NULL: none.
  const char *service;
  /// The one that is known afterwards.
  const char *service_when_paired;
  bool is_paired;
  bool is_trusted;
  bool is_connected;
  /// A scan hears it.
  bool is_in_reach;
};

/// Connects to the bus at `address`, under the name `name` unless that is NULL.
int bluez_open(const char *address, const char *name, struct bluez **bluez);
/// Leaves the bus, as a daemon does that is killed.
void bluez_close(struct bluez *bluez);

int bluez_add_controller(struct bluez *bluez, bool is_powered, bool is_pairable);
/// All of its devices go with it.
int bluez_remove_controller(struct bluez *bluez);
int bluez_add_device(struct bluez *bluez, const struct bluez_device *device);
/// Sets "Connected", "Paired", "Trusted", "Powered" or "Pairable".
int bluez_set(struct bluez *bluez, const char *path, const char *property, bool value);
/// Reports another text for a device's "Name" or "Alias".
int bluez_rename(struct bluez *bluez, const char *path, const char *property, const char *name);
bool bluez_get(struct bluez *bluez, const char *path, const char *property);

/// How it answers this method from now on: with an error, not at all where that is "", and as usual where it is NULL.
void bluez_answer(struct bluez *bluez, const char *member, const char *error);
/// Answers the oldest call that it has not answered: with an error, or as usual where that is NULL.
int bluez_answer_late(struct bluez *bluez, const char *error);
/// Calls a method of an agent, the connection of this unique name, about a device; `service` for AuthorizeService, else NULL.
int bluez_ask(struct bluez *bluez, const char *agent, const char *member, const char *path, const char *service);
/// Who has registered an agent; "": nobody.
const char *bluez_agent(struct bluez *bluez);
/// What the agent replied to the last call: "yes", a text, or an error's name; "": nothing yet.
const char *bluez_reply(struct bluez *bluez);
/// The methods that were called since the last call of this, each ended by a blank; the last part of the object's path
/// follows those of devices.
const char *bluez_calls(struct bluez *bluez);
/// Answers what was asked so far, and sends what is queued.
int bluez_serve(struct bluez *bluez);
