#pragma once
#include "../CDecoders/functions.h"
MPG123_FUNCTIONS(CALLED_LATER)
#include <mpg123.h>
