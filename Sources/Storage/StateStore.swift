import Files
import Jukebox

/// Keeps the state.
package typealias StateStore = GenerationStore<SavedState>

extension SavedState: StoredContent {
  /// A state has some hundred bytes, and the name of a track.
  package static var mostBytes: Int { 1 << 16 }

  package var bytes: [UInt8] { StateText.encode(self) }

  package init(_ bytes: [UInt8], file: String) throws(FileError) { self = try StateText.decode(bytes, file: file) }

  package static func isOfNewerVersion(_ bytes: [UInt8]) -> Bool { StateText.isOfNewerVersion(bytes) }
}

extension GenerationStore where Content == SavedState {
  /// Reads the newest valid state, and reports why a newer one could not be used.
  package func read() -> PowerOn.Saved {
    switch readNewest() {
    case .nothing: .nothing
    case .newest(let state): .state(state)
    case .older(let state, let reason): .older(state, reason: reason)
    case .unreadable(let reason): .unreadable(reason: reason)
    }
  }
}
