#pragma once
// libasound for Swift, and the one thing that Swift cannot do with it: its error handler is variadic.
#include <alsa/asoundlib.h>

/// From now on libasound keeps its words instead of printing them on stderr. Whole process, any thread, repeatable.
void calsa_silence(void);

/// Forgets what libasound said on this thread.
void calsa_forget_words(void);

/// The first thing libasound said on this thread since `calsa_forget_words`, empty if it said nothing. The first is
/// the most precise one: the callers up the chain only add that they failed too. Valid until the next call of
/// libasound on this thread.
const char *calsa_words(void);
