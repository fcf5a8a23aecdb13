#pragma once
#include "../CDecoders/functions.h"
SNDFILE_FUNCTIONS(CALLED_LATER)
#include <sndfile.h>
