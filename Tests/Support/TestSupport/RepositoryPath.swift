/// The path of a file or folder of this repository.
public func repositoryPath(_ path: String) -> String {
  #filePath.dropLast("Tests/Support/TestSupport/RepositoryPath.swift".count) + path
}
