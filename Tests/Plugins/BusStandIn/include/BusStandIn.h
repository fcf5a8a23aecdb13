#pragma once

#include <stdbool.h>

/// Stands in for bluez-alsa on a bus of the tests: it has the PCMs that it is given, and reports them as version 4.3.1
/// does (Debian 13), or as 4.0.0 (Debian 12). Does nothing except in `standin_serve`. `int` results below 0 are a
/// negative errno.

struct standin;

/// Connects to the bus at `address`, under the name `name` unless that is NULL. Waits for the bus.
int standin_open(const char *address, const char *name, bool is_old, struct standin **standin);
/// Leaves the bus, as a daemon does that is killed.
void standin_close(struct standin *standin);

/// Has a PCM from now on, and emits its signal. Of a headset: `transport` is "A2DP-source" and `mode` "sink".
int standin_offer(struct standin *standin, const char *path, const char *device, const char *transport,
                  const char *mode);
int standin_withdraw(struct standin *standin, const char *path);
/// Has another kind of object, of which bluez-alsa also reports, and emits its signal.
int standin_offer_other(struct standin *standin, const char *path);
/// Refuses all calls from now on with this error.
void standin_refuse(struct standin *standin, const char *error);
/// Answers what was asked so far, and returns how many calls it were. Sends what is queued.
int standin_serve(struct standin *standin);

/// Starts a `dbus-daemon` with this configuration file, and waits until it listens. Returns its process id, or a negative
/// errno: -ENOENT where the program is not installed.
int standin_bus_start(const char *configuration);
/// Kills it, and waits until it has gone.
void standin_bus_stop(int process);
