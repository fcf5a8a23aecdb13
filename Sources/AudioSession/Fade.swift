/// The straight line from sound to silence and back.
///
/// What is faded out is heard again faded in. Sound that ends while it still fades in goes on from the frame at which that
/// began: what followed was not heard in full.
public enum Fade {
  public static let time = Duration.milliseconds(4)
}
