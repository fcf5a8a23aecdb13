#pragma once
#include "../CDecoders/functions.h"
FLAC_FUNCTIONS(CALLED_LATER)
#include <FLAC/stream_decoder.h>
