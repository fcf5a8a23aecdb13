/// What befalls the outputs of a simulated board.
public enum OutputFault: String, Hashable, Sendable, CaseIterable { case fail, restore, underrun }
