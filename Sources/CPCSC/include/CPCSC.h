#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// PC/SC by libpcsclite, as far as a reader of cards needs it. The library is loaded when the first one is opened: few boards
/// have such a reader.
///
/// Results are 0 or one of the library's SCARD_… codes, of which those are named here that mean something to a reader. Every
/// call may wait for pcscd, as long as that takes. One thread at a time.

struct cpcsc;

enum {
  CPCSC_UNKNOWN_READER = 0x80100009u,
  CPCSC_TIMEOUT = 0x8010000Au,
  /// Somebody else has the card for himself.
  CPCSC_HELD = 0x8010000Bu,
  /// pcscd has ended since.
  CPCSC_HUNG_UP = 0x80100013u,
  CPCSC_READER_GONE = 0x80100017u,
  /// pcscd does not run.
  CPCSC_NO_SERVICE = 0x8010001Du,
  CPCSC_NO_READERS = 0x8010002Eu,
  /// pcscd has asked polkit.
  CPCSC_NOT_PERMITTED = 0x8010006Au,
  /// The library is not installed; none of its own codes.
  CPCSC_NO_LIBRARY = 1
};

/// Connects to pcscd, and sets *service on success.
uint32_t cpcsc_open(struct cpcsc **service);
void cpcsc_close(struct cpcsc *service);

/// Sets *names to the names of all readers, each ended by a zero byte, and an empty one behind the last. The caller frees it.
uint32_t cpcsc_readers(struct cpcsc *service, char **names);
/// Waits until the reader's state is another than *state, which is 0 at first, and sets it; at most so long.
uint32_t cpcsc_wait(struct cpcsc *service, const char *reader, uint32_t milliseconds, uint32_t *state);
/// A card lies there that answers.
bool cpcsc_is_present(uint32_t state);
/// The reader is gone.
bool cpcsc_is_gone(uint32_t state);
/// Sends a command to the card that lies there, whoever else uses it. *size is that of the answer, at first that of its room.
uint32_t cpcsc_transmit(struct cpcsc *service, const char *reader, const uint8_t *command, size_t length, uint8_t *answer,
                        size_t *size);
