/// What the programs and their packages have in common.
package enum Product {
  package static let version = "0.1.0"
}
