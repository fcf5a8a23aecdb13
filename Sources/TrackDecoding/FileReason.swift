import Glibc

/// Whether the error number of a call on a file says that its storage does not work, for now at least.
func isStorageFault(_ code: CInt) -> Bool {
  [EIO, ENODEV, ENXIO, ENOMEDIUM, EREMOTEIO, ESTALE, ENOTCONN, ESHUTDOWN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH]
    .contains(code)
}

/// The plain clause for an error number of `open`, `stat`, `read` and `opendir`.
func fileReason(_ code: CInt) -> String {
  switch code {
  case ENOENT, ENOTDIR: "no such file"
  case EISDIR: "is a folder"
  case EACCES, EPERM: "permission denied"
  case ELOOP: "too many symbolic links"
  case EMFILE, ENFILE: "too many open files"
  case ENAMETOOLONG: "name too long"
  case EIO: "the storage cannot be read"
  case ENODEV, ENXIO, ESTALE: "the storage is gone"
  default: String(cString: strerror(code))
  }
}
