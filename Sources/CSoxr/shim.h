#pragma once
#include "../CDecoders/functions.h"
SOXR_FUNCTIONS(CALLED_LATER)
#include <soxr.h>
