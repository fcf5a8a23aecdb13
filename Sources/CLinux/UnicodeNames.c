// The names of Unicode's characters, as "LATIN SMALL LETTER A", take half a megabyte of a program that has Swift's library
// linked in, and nothing here asks for them. `linked` in Package.swift lets the library call this function instead of its
// own, so that the linker leaves the names out.

#include <stddef.h>
#include <stdint.h>

ptrdiff_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *name, ptrdiff_t capacity);

// Returns the length of the name that it has written: 0 for a character without a name.
ptrdiff_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *name, ptrdiff_t capacity) {
  (void)scalar, (void)name, (void)capacity;
  return 0;
}
