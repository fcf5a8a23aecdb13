import Board
import CALSA

/// Configures a device to start on command only, to wake us when `wakeFrames` of its buffer are free (or filled, where
/// it captures), to stop when it runs dry or over, and to stamp its status with CLOCK_MONOTONIC.
func setSoftwareParameters(
  of pcm: OpaquePointer, device: String, bufferFrames: Int, wakeFrames: Int
) throws(PCMError) {
  let size = snd_pcm_sw_params_sizeof()
  let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
  memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  defer { memory.deallocate() }
  let parameters = OpaquePointer(memory)

  func check(_ result: CInt, asked: String) throws(PCMError) {
    if result < 0 { throw PCMError(.configure, device, result, asked: asked) }
  }
  calsa_clear_message()
  var boundary: snd_pcm_uframes_t = 0
  try check(snd_pcm_sw_params_current(pcm, parameters), asked: "its software parameters")
  try check(snd_pcm_sw_params_get_boundary(parameters, &boundary), asked: "its pointer boundary")
  try check(
    snd_pcm_sw_params_set_start_threshold(pcm, parameters, boundary), asked: "to start on command only")
  try check(
    snd_pcm_sw_params_set_stop_threshold(pcm, parameters, snd_pcm_uframes_t(bufferFrames)),
    asked: "to stop when it runs dry or over")
  try check(
    snd_pcm_sw_params_set_avail_min(pcm, parameters, snd_pcm_uframes_t(wakeFrames)),
    asked: "to wake when there is something to do")
  try check(
    snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE), asked: "time stamps")
  try check(
    snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC), asked: "monotonic time stamps")
  try check(snd_pcm_sw_params(pcm, parameters), asked: "start, stop and wake-up thresholds")
}
