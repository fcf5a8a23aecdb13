#include "CSDBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

// Every function of the library that is used, with the type that the header gives it.
#define FUNCTIONS(use)                                                                                                 \
  use(new) use(set_address) use(set_bus_client) use(start) use(open_system) use(close_unref) use(get_fd)               \
  use(get_events) use(process) use(add_match_async) use(call_async) use(message_new_method_call)                       \
  use(message_set_auto_start) use(message_unref) use(message_get_sender) use(message_get_error)                        \
  use(message_read_basic) use(message_peek_type) use(message_enter_container) use(message_exit_container)              \
  use(message_skip) use(slot_unref) use(message_append_basic) use(message_open_container) use(message_close_container) \
  use(add_object) use(message_get_path) use(message_get_interface) use(message_get_member) use(reply_method_return)    \
  use(reply_method_errorf)

static struct {
#define DECLARE(name) __typeof__(&sd_bus_##name) name;
  FUNCTIONS(DECLARE)
} library;

// A handler and whom to call.
struct waiting {
  struct csdbus_bus *bus;
  csdbus_handler handler;
  void *context;
  sd_bus_slot *slot;
  struct waiting *next;
};

struct csdbus_bus {
  sd_bus *bus;
  struct waiting *waiting;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;

static void load(void) {
  void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
#define FIND(name)                                                                                                     \
  if ((library.name = (__typeof__(library.name))dlsym(handle, "sd_bus_" #name)) == NULL) return;
  FUNCTIONS(FIND)
  is_loaded = true;
}

static int connect_to(const char *address, sd_bus **bus) {
  if (address == NULL) return library.open_system(bus);
  int result = library.new(bus);
  if (result < 0) return result;
  if ((result = library.set_address(*bus, address)) < 0) return result;
  if ((result = library.set_bus_client(*bus, 1)) < 0) return result;
  return library.start(*bus);
}

int csdbus_open(const char *address, struct csdbus_bus **bus) {
  pthread_once(&once, load);
  if (!is_loaded) return -ELIBACC;
  struct csdbus_bus *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return -ENOMEM;
  const int result = connect_to(address, &opened->bus);
  if (result < 0) {
    csdbus_close(opened);
    return result;
  }
  *bus = opened;
  return 0;
}

static void forget(struct waiting *waiting) {
  for (struct waiting **link = &waiting->bus->waiting; *link != NULL; link = &(*link)->next) {
    if (*link != waiting) continue;
    *link = waiting->next;
    break;
  }
  library.slot_unref(waiting->slot);
  free(waiting);
}

void csdbus_close(struct csdbus_bus *bus) {
  while (bus->waiting != NULL) forget(bus->waiting);
  // Without a flush, which would wait for a bus that takes nothing.
  library.close_unref(bus->bus);
  free(bus);
}

int csdbus_descriptor(struct csdbus_bus *bus) { return library.get_fd(bus->bus); }

int csdbus_events(struct csdbus_bus *bus) { return library.get_events(bus->bus); }

int csdbus_process(struct csdbus_bus *bus) { return library.process(bus->bus, NULL); }

static int pass_on(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct waiting *waiting = context;
  waiting->handler((struct csdbus_message *)message, waiting->context);
  return 0;
}

static int pass_reply_on(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct waiting *waiting = context;
  const csdbus_handler handler = waiting->handler;
  void *const whom = waiting->context;
  forget(waiting);
  handler((struct csdbus_message *)message, whom);
  return 0;
}

static struct waiting *wait_for(struct csdbus_bus *bus, csdbus_handler handler, void *context) {
  struct waiting *waiting = calloc(1, sizeof *waiting);
  if (waiting == NULL) return NULL;
  *waiting = (struct waiting){.bus = bus, .handler = handler, .context = context, .next = bus->waiting};
  bus->waiting = waiting;
  return waiting;
}

int csdbus_match(struct csdbus_bus *bus, const char *rule, csdbus_handler handler, void *context) {
  struct waiting *waiting = wait_for(bus, handler, context);
  if (waiting == NULL) return -ENOMEM;
  const int result = library.add_match_async(bus->bus, &waiting->slot, rule, pass_on, NULL, waiting);
  if (result < 0) forget(waiting);
  return result;
}

static int pass_call_on(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct waiting *waiting = context;
  waiting->handler((struct csdbus_message *)message, waiting->context);
  return 1;
}

int csdbus_export(struct csdbus_bus *bus, const char *path, csdbus_handler handler, void *context) {
  struct waiting *waiting = wait_for(bus, handler, context);
  if (waiting == NULL) return -ENOMEM;
  const int result = library.add_object(bus->bus, &waiting->slot, path, pass_call_on, waiting);
  if (result < 0) forget(waiting);
  return result;
}

int csdbus_new_call(struct csdbus_bus *bus, const char *service, const char *path, const char *interface,
                    const char *member, struct csdbus_message **call) {
  sd_bus_message *message = NULL;
  const int result = library.message_new_method_call(bus->bus, &message, service, path, interface, member);
  if (result < 0) return result;
  library.message_set_auto_start(message, 0);
  *call = (struct csdbus_message *)message;
  return 0;
}

int csdbus_send_call(struct csdbus_bus *bus, struct csdbus_message *call, csdbus_handler handler, void *context) {
  struct waiting *waiting = wait_for(bus, handler, context);
  if (waiting == NULL) return -ENOMEM;
  // Without a time limit: there would be a timer to serve. Whoever needs the reply has a limit of its own.
  const int result =
    library.call_async(bus->bus, &waiting->slot, (sd_bus_message *)call, pass_reply_on, waiting, UINT64_MAX);
  if (result < 0) forget(waiting);
  return result;
}

void csdbus_release(struct csdbus_message *call) { library.message_unref((sd_bus_message *)call); }

static sd_bus_message *real(struct csdbus_message *message) { return (sd_bus_message *)message; }

const char *csdbus_sender(struct csdbus_message *message) { return library.message_get_sender(real(message)); }

const char *csdbus_path(struct csdbus_message *message) { return library.message_get_path(real(message)); }

const char *csdbus_interface(struct csdbus_message *message) { return library.message_get_interface(real(message)); }

const char *csdbus_member(struct csdbus_message *message) { return library.message_get_member(real(message)); }

const char *csdbus_error(struct csdbus_message *message) {
  const sd_bus_error *error = library.message_get_error(real(message));
  return error == NULL ? NULL : error->name;
}

const char *csdbus_error_text(struct csdbus_message *message) {
  const sd_bus_error *error = library.message_get_error(real(message));
  return error == NULL ? NULL : error->message;
}

int csdbus_read(struct csdbus_message *message, char type, void *value) {
  const int result = library.message_read_basic(real(message), type, value);
  return result == 0 ? -ENODATA : result;
}

const char *csdbus_variant_contents(struct csdbus_message *message) {
  char type = 0;
  const char *contents = NULL;
  if (library.message_peek_type(real(message), &type, &contents) <= 0 || type != 'v') return NULL;
  return contents;
}

int csdbus_enter(struct csdbus_message *message, char type, const char *contents) {
  return library.message_enter_container(real(message), type, contents);
}

int csdbus_leave(struct csdbus_message *message) { return library.message_exit_container(real(message)); }

int csdbus_skip(struct csdbus_message *message, const char *types) { return library.message_skip(real(message), types); }

int csdbus_append(struct csdbus_message *call, char type, const void *value) {
  return library.message_append_basic(real(call), type, value);
}

int csdbus_begin(struct csdbus_message *call, char type, const char *contents) {
  return library.message_open_container(real(call), type, contents);
}

int csdbus_end(struct csdbus_message *call) { return library.message_close_container(real(call)); }

int csdbus_reply(struct csdbus_message *call, const char *text) {
  return text == NULL ? library.reply_method_return(real(call), NULL)
                      : library.reply_method_return(real(call), "s", text);
}

int csdbus_refuse(struct csdbus_message *call, const char *error, const char *text) {
  return library.reply_method_errorf(real(call), error, "%s", text);
}
