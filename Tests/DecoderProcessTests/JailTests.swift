import CLinux
import Glibc
import JailProbe
import TestSupport
import Testing

@testable import DecoderProcess

/// What is left to a process that decodes.
@Suite struct JailTests {
  @Test("a confined process can end and have memory", .enabled(if: decoder_confinement_refusal() == 0))
  func allowed() {
    for attempt in [probe_nothing, probe_memory] { #expect(jail_probe(attempt) == 0) }
  }

  @Test("P11.4: two processes that have all the memory they may have fit into the service beside the firmware")
  func serviceMemory() throws {
    let unit = String(decoding: try #require(readFile(repositoryPath("deploy/debian/jackdaw.service"))), as: UTF8.self)
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("MemoryMax=") })
    let mebibytes = try #require(UInt(line.dropFirst("MemoryMax=".count).dropLast()))
    #expect(2 * DecoderLimits.memory + 40 << 20 <= mebibytes << 20)
  }

  @Test("a confined process cannot open a file, and lives on", .enabled(if: decoder_confinement_refusal() == 0))
  func opens() { #expect(jail_probe(probe_open) == 1 << 8) }

  @Test(
    "a confined process that looks, connects, forks, executes, kills or maps code or a file is killed at once",
    .enabled(if: decoder_confinement_refusal() == 0),
    arguments: [
      probe_stat.rawValue, probe_socket.rawValue, probe_fork.rawValue, probe_execute.rawValue,
      probe_kill.rawValue, probe_code.rawValue, probe_map_file.rawValue, probe_ptrace.rawValue,
      probe_descriptors.rawValue,
    ])
  func refused(attempt: UInt32) { #expect(jail_probe(jail_probe(rawValue: attempt)) & 0x7F == SIGSYS) }

  @Test(
    "P11.4: a confined process that maps shared memory or a stack, or makes memory in another way, is killed at once",
    .enabled(if: decoder_confinement_refusal() == 0),
    arguments: [
      probe_shared.rawValue, probe_shared_file.rawValue, probe_growing.rawValue, probe_memfd.rawValue,
      probe_segment.rawValue, probe_ring.rawValue, probe_faults.rawValue,
    ])
  func refusedMemory(attempt: UInt32) { #expect(jail_probe(jail_probe(rawValue: attempt)) & 0x7F == SIGSYS) }

  @Test(
    "P11.4: a confined process gets no more memory than it is allowed, whatever kind it is",
    .enabled(if: decoder_confinement_refusal() == 0),
    arguments: [
      probe_much.rawValue, probe_much_read_only.rawValue, probe_grown.rawValue, probe_duplicates.rawValue,
    ])
  func tooMuchMemory(attempt: UInt32) { #expect(jail_probe(jail_probe(rawValue: attempt)) == 1 << 8) }

  @Test("P11.4: decoders are confined wherever the kernel can, or it is said why not")
  func whyNot() { #expect((DecodeWorker.whyNoJail() == nil) == (jail_is_possible() != 0)) }
}
