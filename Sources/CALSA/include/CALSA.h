#pragma once
// libasound for Swift, and its error handler, which Swift cannot implement because it is variadic.
#include <alsa/asoundlib.h>

/// From now on libasound's messages are kept for calsa_message instead of being printed on stderr. For the whole
/// process; any thread may call it, any number of times.
void calsa_keep_messages(void);

/// Clears the message of this thread.
void calsa_clear_message(void);

/// The first message of libasound on this thread since `calsa_clear_message`, empty if there was none. The first is the
/// most precise one: those of its callers only add that they failed, too. Valid until the next call of libasound on
/// this thread.
const char *calsa_message(void);
