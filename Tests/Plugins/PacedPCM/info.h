#pragma once
#include <stdbool.h>

/// Has an `snd_pcm_hw_params_t` say that the samples in the buffer are valid up to the position, as nearly all drivers
/// (SNDRV_PCM_INFO_MMAP_VALID), and whether that moves by periods or transfers (SNDRV_PCM_INFO_BATCH).
void info_tell(void *parameters, bool is_batch);
