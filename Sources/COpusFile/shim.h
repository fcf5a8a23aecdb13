#pragma once
#include "../CDecoders/functions.h"
OPUSFILE_FUNCTIONS(CALLED_LATER)
#include <opusfile.h>
