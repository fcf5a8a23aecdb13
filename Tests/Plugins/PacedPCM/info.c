// What a kernel driver says of its position. libasound's plug-ins have no call for it, but their parameters are those of
// the kernel; its header and libasound's cannot be read by one file.
#include "info.h"

#include <sound/asound.h>

void info_tell(void *parameters, bool is_batch) {
  unsigned *info = &((struct snd_pcm_hw_params *)parameters)->info;
  *info |= SNDRV_PCM_INFO_MMAP_VALID;
  if (is_batch) *info |= SNDRV_PCM_INFO_BATCH;
}
