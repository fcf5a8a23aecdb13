#pragma once

#include <stdint.h>

/// sd-bus of libsystemd, as far as a client needs it that never waits. The library is loaded when the first bus is
/// opened: most boards have no port that needs it, and it is not small.
///
/// `int` results below 0 are a negative errno, here and in the library. Nothing here is safe to call from two threads
/// on the same bus.

struct csdbus_bus;
struct csdbus_message;

/// Gets a message that was waited for. It is only valid during the call.
typedef void (*csdbus_handler)(struct csdbus_message *message, void *context);

/// Begins to connect to the bus at `address`, or to the system bus if that is NULL, and sets *bus on success. Returns
/// -ELIBACC where the library is not installed or too old.
int csdbus_open(const char *address, struct csdbus_bus **bus);
/// Waits for nothing, so what is still queued is lost. No handler is called afterwards, even if this is called by one.
void csdbus_close(struct csdbus_bus *bus);

/// What to poll. Changes while the bus is connected to.
int csdbus_descriptor(struct csdbus_bus *bus);
int csdbus_events(struct csdbus_bus *bus);
/// Handles one message at most, and sends what is queued; returns at once. 0: there was nothing to do. More than 0:
/// call it again, because a message that was read already makes no descriptor readable.
int csdbus_process(struct csdbus_bus *bus);

/// Has `handler` called for every message that `rule` matches, as long as the bus is open.
int csdbus_match(struct csdbus_bus *bus, const char *rule, csdbus_handler handler, void *context);
/// Has `handler` called for every method call to the object `path`, as long as the bus is open. It must reply to each,
/// with `csdbus_reply` or `csdbus_refuse`.
int csdbus_export(struct csdbus_bus *bus, const char *path, csdbus_handler handler, void *context);
/// Sets *call to a call without arguments; they are appended. Starts no service that is not running.
int csdbus_new_call(struct csdbus_bus *bus, const char *service, const char *path, const char *interface,
                    const char *member, struct csdbus_message **call);
/// Queues it. `handler` is called once with the reply, which may be an error.
int csdbus_send_call(struct csdbus_bus *bus, struct csdbus_message *call, csdbus_handler handler, void *context);
/// Every call that was made is released, whether it was sent or not.
void csdbus_release(struct csdbus_message *call);

/// NULL where the message has none.
const char *csdbus_sender(struct csdbus_message *message);
const char *csdbus_path(struct csdbus_message *message);
const char *csdbus_interface(struct csdbus_message *message);
const char *csdbus_member(struct csdbus_message *message);
/// The error's name, such as "org.freedesktop.DBus.Error.AccessDenied"; NULL for a message that is not an error.
const char *csdbus_error(struct csdbus_message *message);
/// What it says to people.
const char *csdbus_error_text(struct csdbus_message *message);

/// Reads what `type` says: a string, an object path or a signature ('s', 'o' or 'g') into a const char *, which is
/// valid as long as the message, a boolean ('b') into an int, or a number ('q') into a uint16_t.
int csdbus_read(struct csdbus_message *message, char type, void *value);
/// The type of what the next value, a variant, holds; NULL where the next value is none.
const char *csdbus_variant_contents(struct csdbus_message *message);
/// Enters an array ('a'), a variant ('v') or an entry ('e') of this content. Returns 0 at the end of an array.
int csdbus_enter(struct csdbus_message *message, char type, const char *contents);
int csdbus_leave(struct csdbus_message *message);
/// Skips values of these types.
int csdbus_skip(struct csdbus_message *message, const char *types);

/// Appends what `type` says: the characters of a text, or an int or uint16_t that `value` points to.
int csdbus_append(struct csdbus_message *call, char type, const void *value);
/// Begins an array, a variant or an entry of this content, and ends it.
int csdbus_begin(struct csdbus_message *call, char type, const char *contents);
int csdbus_end(struct csdbus_message *call);

/// Replies to a method call, with a string unless that is NULL, or with an error.
int csdbus_reply(struct csdbus_message *call, const char *text);
int csdbus_refuse(struct csdbus_message *call, const char *error, const char *text);
