// Kernels for which a processor has instructions that Swift does not write.
#pragma once
#include <stdint.h>

// Multiplies S16 samples by a gain below 1 in Q15, 0...32767, and rounds to the nearest. `output` may be `input`.
// Allocates nothing and takes no lock.
__attribute__((swift_attr("@_noLocks"))) void scale_samples(
    const int16_t *_Nonnull input, int16_t *_Nonnull output, long count, int16_t gain);
