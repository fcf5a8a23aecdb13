#pragma once

#include <errno.h>

/// The errno of a call that just failed; never 0, so that a failure cannot pass for success.
static inline int cgpiod_failure(void) { return errno > 0 ? errno : EIO; }
