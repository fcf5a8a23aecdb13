#pragma once
#include "../CDecoders/functions.h"
VORBISFILE_FUNCTIONS(CALLED_LATER)
// The header would define four sets of callbacks that nobody uses.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>
