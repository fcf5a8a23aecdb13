#pragma once
// The header would define four sets of callbacks that nobody uses.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>
