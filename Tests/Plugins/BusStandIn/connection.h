#pragma once

#include <systemd/sd-bus.h>

// What the stand-ins share: a connection to the bus of a test. `int` results below 0 are a negative errno.

/// Connects to the bus at `address`, under the name `name` unless that is NULL; `take` gets every message.
int connection_open(const char *address, const char *name, sd_bus_message_handler_t take, void *context, sd_bus **bus);
/// Sends a message unless building it has failed, which `result` says, and releases it.
int connection_send(sd_bus *bus, sd_bus_message *message, int result);
/// Handles what has arrived, and sends what is queued.
int connection_serve(sd_bus *bus);
