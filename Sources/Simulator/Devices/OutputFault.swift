/// A fault of the outputs of a simulated board, or its end.
public enum OutputFault: String, Hashable, Sendable, CaseIterable { case fail, restore, underrun }
