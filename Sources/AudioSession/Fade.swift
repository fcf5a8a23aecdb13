/// The straight line from sound to silence and back.
///
/// What was faded out is played again while it fades in. Sound that ends while it still fades in goes on later from the
/// frame at which that fade-in began, because what followed was not heard in full.
public enum Fade {
  public static let time = Duration.milliseconds(4)
}
