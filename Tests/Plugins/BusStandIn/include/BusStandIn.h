#pragma once

#include <stdbool.h>

#include "BluezStandIn.h"

/// Stands in for bluez-alsa on a bus of the tests: it has the PCMs that it is given, and reports them as version 4.3.1
/// does (Debian 13), or as 4.0.0 (Debian 12). Does nothing except in `standin_serve`. `int` results below 0 are a
/// negative errno.

struct standin;

/// Connects to the bus at `address`, under the name `name` unless that is NULL. Waits for the bus.
int standin_open(const char *address, const char *name, bool is_old, struct standin **standin);
/// Leaves the bus, as a daemon does that is killed.
void standin_close(struct standin *standin);

/// Has a PCM from now on, and emits its signal. For a headset `transport` is "A2DP-source" and `mode` "sink".
int standin_offer(struct standin *standin, const char *path, const char *device, const char *transport,
                  const char *mode);
int standin_withdraw(struct standin *standin, const char *path);
/// Has another kind of object, of which bluez-alsa also reports, and emits its signal.
int standin_offer_other(struct standin *standin, const char *path);
/// Refuses all calls from now on with this error; NULL: obeys them again.
void standin_refuse(struct standin *standin, const char *error);
/// Answers what was asked so far, and returns how many calls it were. Sends what is queued.
int standin_serve(struct standin *standin);

/// Stands in for BlueZ, as far as its transports go. Does nothing except in `transports_serve`.

struct transports;

/// As `standin_open`.
int transports_open(const char *address, const char *name, struct transports **transports);
void transports_close(struct transports *transports);
/// Has a transport from now on, and emits its signal. `is_phone`: one that plays to the box. `volume` below 0: it has none.
int transports_add(struct transports *transports, const char *path, const char *device, bool is_phone, int volume);
int transports_remove(struct transports *transports, const char *path);
/// bluez-alsa begins to play to the headset, or ends that. At first it does not.
int transports_play(struct transports *transports, const char *path, bool is_playing);
/// The headset reports another volume.
int transports_turn(struct transports *transports, const char *path, int volume);
/// `pretender` sends its signals from now on to whoever has called the other one, whatever that has asked the bus for.
void transports_imitate(struct transports *pretender, const struct transports *transports);
/// Answers calls of this method with an error from now on; "": none.
void transports_refuse(struct transports *transports, const char *member);
/// How often a volume was set, and the last one.
int transports_sets(struct transports *transports);
int transports_last(struct transports *transports);
/// Answers what was asked so far. Sends what is queued.
int transports_serve(struct transports *transports);

/// Stands in for BlueZ as bluez-alsa itself needs it: one controller, at which that registers what it can play with. Does
/// nothing except in `endpoints_serve`.

struct endpoints;

/// As `standin_open`.
int endpoints_open(const char *address, struct endpoints **endpoints);
void endpoints_close(struct endpoints *endpoints);
/// Whether bluez-alsa has registered that it can play to a headset.
bool endpoints_is_registered(struct endpoints *endpoints);
/// It has ended, and has to register again.
void endpoints_forget(struct endpoints *endpoints);
/// A headset connects, over this transport, or disconnects: bluez-alsa is asked to make a PCM of it, or to let it go.
int endpoints_connect(struct endpoints *endpoints, const char *transport, const char *device);
int endpoints_disconnect(struct endpoints *endpoints, const char *transport);
/// Answers what was asked so far. Sends what is queued.
int endpoints_serve(struct endpoints *endpoints);

/// Starts a `dbus-daemon` with this configuration file, and waits until it listens. Returns its process id, or a negative
/// errno: -ENOENT where the program is not installed.
int standin_bus_start(const char *configuration);
/// Starts the real bluez-alsa on the bus at `address`: the program at this path, with the libraries of a folder beside those
/// of the system. Returns its process id, or a negative errno.
int standin_alsa_start(const char *program, const char *libraries, const char *address);
/// Kills one of the two, and waits until it has gone.
void standin_process_stop(int process);
