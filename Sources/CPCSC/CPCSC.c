#include "CPCSC.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <winscard.h>

// Every function of the library that is used, with the type that the header gives it.
#define FUNCTIONS(use)                                                                                                 \
  use(SCardEstablishContext) use(SCardReleaseContext) use(SCardListReaders) use(SCardGetStatusChange)                  \
  use(SCardConnect) use(SCardDisconnect) use(SCardTransmit)

static struct {
#define DECLARE(name) __typeof__(&name) name;
  FUNCTIONS(DECLARE)
} library;

struct cpcsc {
  SCARDCONTEXT context;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;

static void load(void) {
  void *handle = dlopen("libpcsclite.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
#define FIND(name)                                                                                                     \
  if ((library.name = (__typeof__(library.name))dlsym(handle, #name)) == NULL) return;
  FUNCTIONS(FIND)
  is_loaded = true;
}

_Static_assert(CPCSC_UNKNOWN_READER == (uint32_t)SCARD_E_UNKNOWN_READER &&
                   CPCSC_HELD == (uint32_t)SCARD_E_SHARING_VIOLATION &&
                   CPCSC_HUNG_UP == (uint32_t)SCARD_F_COMM_ERROR &&
                   CPCSC_READER_GONE == (uint32_t)SCARD_E_READER_UNAVAILABLE &&
                   CPCSC_TIMEOUT == (uint32_t)SCARD_E_TIMEOUT && CPCSC_NO_SERVICE == (uint32_t)SCARD_E_NO_SERVICE &&
                   CPCSC_NO_READERS == (uint32_t)SCARD_E_NO_READERS_AVAILABLE &&
                   CPCSC_NOT_PERMITTED == (uint32_t)SCARD_W_SECURITY_VIOLATION,
               "the library's codes");

uint32_t cpcsc_open(struct cpcsc **service) {
  pthread_once(&once, load);
  if (!is_loaded) return CPCSC_NO_LIBRARY;
  struct cpcsc *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return (uint32_t)SCARD_E_NO_MEMORY;
  const LONG result = library.SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &opened->context);
  if (result == SCARD_S_SUCCESS) {
    *service = opened;
  } else {
    free(opened);
  }
  return (uint32_t)result;
}

void cpcsc_close(struct cpcsc *service) {
  library.SCardReleaseContext(service->context);
  free(service);
}

uint32_t cpcsc_readers(struct cpcsc *service, char **names) {
  DWORD size = 0;
  LONG result = library.SCardListReaders(service->context, NULL, NULL, &size);
  if (result != SCARD_S_SUCCESS) return (uint32_t)result;
  char *list = calloc(size + 2, 1);
  if (list == NULL) return (uint32_t)SCARD_E_NO_MEMORY;
  if ((result = library.SCardListReaders(service->context, NULL, list, &size)) == SCARD_S_SUCCESS) {
    *names = list;
  } else {
    free(list);
  }
  return (uint32_t)result;
}

uint32_t cpcsc_wait(struct cpcsc *service, const char *reader, uint32_t milliseconds, uint32_t *state) {
  SCARD_READERSTATE waited = {.szReader = reader, .dwCurrentState = *state};
  const LONG result = library.SCardGetStatusChange(service->context, milliseconds, &waited, 1);
  if (result == SCARD_S_SUCCESS) *state = (uint32_t)(waited.dwEventState & ~(DWORD)SCARD_STATE_CHANGED);
  return (uint32_t)result;
}

bool cpcsc_is_present(uint32_t state) { return (state & SCARD_STATE_PRESENT) != 0 && (state & SCARD_STATE_MUTE) == 0; }

bool cpcsc_is_gone(uint32_t state) { return (state & (SCARD_STATE_UNKNOWN | SCARD_STATE_UNAVAILABLE)) != 0; }

uint32_t cpcsc_transmit(struct cpcsc *service, const char *reader, const uint8_t *command, size_t length, uint8_t *answer,
                        size_t *size) {
  SCARDHANDLE card = 0;
  SCARD_IO_REQUEST protocol = {.cbPciLength = sizeof protocol};
  LONG result = library.SCardConnect(service->context, reader, SCARD_SHARE_SHARED, SCARD_PROTOCOL_ANY, &card,
                                     &protocol.dwProtocol);
  if (result != SCARD_S_SUCCESS) return (uint32_t)result;
  DWORD count = *size;
  result = library.SCardTransmit(card, &protocol, command, length, NULL, answer, &count);
  *size = result == SCARD_S_SUCCESS ? count : 0;
  library.SCardDisconnect(card, SCARD_LEAVE_CARD);
  return (uint32_t)result;
}
