import AudioSession

/// One open capture device. Interleaved stereo S16 in native byte order; a device with one channel gives it on both
/// sides. Every call is made by the recorder's thread; none may block or wait.
public protocol CapturePCM: AnyObject {
  /// What the device runs at.
  var format: PCMFormat { get }
  /// Descriptors to poll, empty for a device that has to be checked by time.
  var pollDescriptors: [PollDescriptor] { get }
  /// Whether what `poll(2)` returned (`revents`, in the order of `pollDescriptors`) means that frames wait or that the
  /// state has changed. Has to be called after every wake-up by one of them.
  func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool
  /// Begins to capture.
  func start() throws(PCMError)
  /// Takes up to `frames` frames that wait, oldest first, and returns how many; 0 when none does. Continues by itself
  /// after an overrun. Throws when the device is gone.
  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(PCMError) -> Int
  /// Frames that nobody read in time and that are lost, since `start`, as far as the device reports them.
  var lostFrames: Int { get }
  /// Closes the device; no call may follow.
  func close()
}

/// Opens capture devices by name. The recorder's thread.
public protocol CaptureOpener: AnyObject {
  func open(input: InputPort, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any CapturePCM
}

/// Where recordings go, and how much of the storage they may take.
public struct RecordingSettings: Hashable, Sendable {
  /// Name of the file that exists in the folder while a recording runs, and names that recording. If it is found at
  /// power on, power was cut meanwhile.
  public static let marker = ".recording"

  /// nil if recordings are not kept.
  public var folder: String?
  /// Bytes a recording may have; 0: as many as a WAV can hold.
  public var sizeLimit: Int
  /// Bytes that stay free on the storage; a recording ends before it takes them.
  public var freeSpaceFloor: Int
  /// How old a recording gets, by its name, before it is removed; nil: it is kept.
  public var retention: Duration?

  public init(
    folder: String? = nil, sizeLimit: Int = 0, freeSpaceFloor: Int = 100_000_000, retention: Duration? = nil
  ) {
    self.folder = folder
    self.sizeLimit = sizeLimit
    self.freeSpaceFloor = freeSpaceFloor
    self.retention = retention
  }
}
