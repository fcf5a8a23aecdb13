// Cards as their drivers are. Each is a list of the keys of plugin.c; what is not named is as usual. Frames are those of
// 44.1 kHz. The source is named beside each: a file of the kernel where no other project is named.
#include "traits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  const char *traits[12];  // key and value; ends with NULL
} card_model;

static const card_model models[] = {
    // The jack of a Raspberry Pi: drivers/staging/vc04_services/bcm2835-audio. `snd_bcm2835_pcm_ack` hands every frame to
    // the VideoCore by include/sound/pcm-indirect.h, which refuses a step back with -EPIPE; the core makes that an
    // underrun (sound/core/pcm_lib.c). `bcm2835_playback_fifo` moves the position by what the firmware reports as played,
    // in steps that the driver calls of the order of 10 ms, which is also its shortest period; `pointer` counts on in
    // between by the clock, in the delay. Start and stop are messages that nobody waits for (`bcm2835_audio_send_simple`):
    // how long the firmware takes over them is not in the source, and is taken here to be one step always, the longest that
    // a firmware needs which works step by step.
    {"bcm2835",
     {"take_back refuse", "position_step 441", "start_delay 441", "stop_delay 441", "format S16_LE", "most_rate 48000",
      "least_period 1764", "most_buffer 131072", "pause no", "delay guessed", "name bcm2835 Headphones"}},
    // sound/usb: what is in URBs has left the buffer and is counted in the delay, less the frames of the bus, of 1 ms,
    // that have passed since an URB was filled or came back (`snd_usb_pcm_delay`). At most 18 ms are in flight, and 6 packets
    // of 1 ms in a URB of a full-speed device (MAX_QUEUE and MAX_PACKS of card.h). In its low-latency mode, the usual one,
    // URBs are filled at the start and as frames are written.
    {"usb", {"in_flight 794", "position_step 265", "delay counted", "name USB Audio"}},
    // The same with `lowlatency=0`, implicit feedback, or a stop threshold behind the buffer
    // (`lowlatency_playback_available`): silent URBs are on their way from `prepare` on, and sound comes behind them.
    {"usb-queued", {"in_flight 794", "start_delay 794", "position_step 265", "delay counted", "name USB Audio"}},
    // sound/soc/bcm/bcm2835-i2s.c on drivers/dma/bcm2835-dma.c: the position is the address that the DMA engine has come
    // to (`bcm2835_dma_tx_status`), which moves by bursts of two words.
    {"i2s", {"position_step 2", "delay stepped"}},
    // sound/soc/soc-generic-dmaengine-pcm.c on a DMA engine that reports whole descriptors only
    // (`dmaengine_pcm_can_report_residue`): it counts periods.
    {"i2s-periods", {"position_step period", "delay stepped"}},
    // drivers/gpu/drm/vc4/vc4_hdmi.c takes nothing but this format, which libasound's iec958 plug-in makes
    // (vc4-hdmi.conf), on the same DMA engine as above.
    {"hdmi", {"format IEC958_SUBFRAME_LE", "position_step 2", "delay stepped"}},
    // The same without a screen, or with one on DVI (`vc4_hdmi_audio_startup`). ENODEV.
    {"hdmi-dark", {"format IEC958_SUBFRAME_LE", "absent 19"}},
    // sound/virtio/virtio_pcm_ops.c as it was at first: a message a period, and the position counts those that came back.
    {"virtio", {"position_step period", "delay stepped"}},
    // The same since it uses the indirect helper (`virtsnd_pcm_pb_ack`): it cannot be rewound, like bcm2835.
    {"virtio-indirect", {"position_step period", "delay stepped", "take_back refuse"}},
    // bluez-alsa, src/asound/bluealsa-pcm.c: a thread moves whole periods from the buffer into a pipe of a page.
    // `bluealsa_delay` adds what is in the pipe and what the headset reports, here 15 ms, and takes off the time since the
    // last period was moved: while the link stands, its delay goes on falling.
    {"bluealsa", {"latency 1686", "position_step period", "delay guessed", "pause no", "server yes"}},
};

static int set_all(paced_traits *traits, const card_model *model) {
  for (size_t i = 0; i < sizeof model->traits / sizeof model->traits[0] && model->traits[i] != NULL; i++) {
    char key[32], value[32];
    if (sscanf(model->traits[i], "%31s %31[^\n]", key, value) != 2) return -EINVAL;
    int result = traits_set(traits, key, value);
    if (result < 0) return result;
  }
  return 0;
}

int model_set(paced_traits *traits, const char *name) {
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    if (strcmp(name, models[i].name) == 0) return set_all(traits, &models[i]);
  }
  return -EINVAL;
}
