import CLinux
import Glibc
import JailProbe
import Testing

@testable import DecoderProcess

/// What is left to a process that decodes.
@Suite struct JailTests {
  @Test("a confined process can end and have memory", .enabled(if: decoder_confinement_refusal() == 0))
  func allowed() {
    for attempt in [probe_nothing, probe_memory] { #expect(jail_probe(attempt) == 0) }
  }

  @Test("a confined process cannot open a file, and lives on", .enabled(if: decoder_confinement_refusal() == 0))
  func opens() { #expect(jail_probe(probe_open) == 1 << 8) }

  @Test(
    "a confined process that looks, connects, forks, executes, kills or maps code, a file or shared memory is killed at once",
    .enabled(if: decoder_confinement_refusal() == 0),
    arguments: [
      probe_stat.rawValue, probe_socket.rawValue, probe_fork.rawValue, probe_execute.rawValue,
      probe_kill.rawValue, probe_code.rawValue, probe_map_file.rawValue, probe_share.rawValue, probe_ptrace.rawValue,
      probe_descriptors.rawValue,
    ])
  func refused(attempt: UInt32) { #expect(jail_probe(jail_probe(rawValue: attempt)) & 0x7F == SIGSYS) }

  @Test("this kernel confines decoders, or says why not")
  func whyNot() { #expect((DecodeWorker.whyNoJail() == nil) == (decoder_confinement_refusal() == 0)) }
}
