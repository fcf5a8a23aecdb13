#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

static int release_segments(struct dl_phdr_info *object, size_t size, void *page) {
  (void)size;
  unsigned long whole = -*(unsigned long *)page;
  for (int at = 0; at < object->dlpi_phnum; at++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[at];
    // Writable segments may have been changed, by the dynamic linker at least, and would lose that.
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    unsigned long start = object->dlpi_addr + segment->p_vaddr;
    unsigned long first = start & whole, end = (start + segment->p_memsz) & whole;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
  }
  return 0;
}

void release_code(void) {
  unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(release_segments, &page);
}

void return_large_memory(void) { mallopt(M_MMAP_THRESHOLD, 64 * 1024); }
