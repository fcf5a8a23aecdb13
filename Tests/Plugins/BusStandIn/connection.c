#include "connection.h"

#include <stddef.h>

int connection_open(const char *address, const char *name, sd_bus_message_handler_t take, void *context, sd_bus **bus) {
  int result = sd_bus_new(bus);
  if (result >= 0) result = sd_bus_set_address(*bus, address);
  if (result >= 0) result = sd_bus_set_bus_client(*bus, 1);
  if (result >= 0) result = sd_bus_start(*bus);
  if (result >= 0) result = sd_bus_add_filter(*bus, NULL, take, context);
  if (result >= 0 && name != NULL) result = sd_bus_request_name(*bus, name, 0);
  // Waits until the bus knows it, as requesting a name does: what others send from now on finds it there.
  const char *unique;
  if (result >= 0) result = sd_bus_get_unique_name(*bus, &unique);
  return result < 0 ? result : 0;
}

int connection_send(sd_bus *bus, sd_bus_message *message, int result) {
  if (result >= 0) result = sd_bus_send(bus, message, NULL);
  sd_bus_message_unref(message);
  return result < 0 ? result : sd_bus_flush(bus);
}

int connection_serve(sd_bus *bus) {
  int result;
  while ((result = sd_bus_process(bus, NULL)) > 0) {
  }
  return result < 0 ? result : sd_bus_flush(bus);
}
