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

// The first and the last function of deploy/link-order/functions.order. Different, as the linker makes one of equal ones;
// in sections of their own, as it orders sections.
__attribute__((section(".text.first"))) void first_of_ordered_code(void) { __asm__ volatile("" : : "r"(1)); }
__attribute__((section(".text.last"))) void last_of_ordered_code(void) { __asm__ volatile("" : : "r"(2)); }
extern const char etext[];

void read_code_ahead(void) {
  unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
  unsigned long first = (unsigned long)first_of_ordered_code & -page, last = (unsigned long)last_of_ordered_code & -page;
  // In a program that was linked without the order nothing is between them.
  if (last < first + 16 * page) return;
  madvise((void *)first, last + page - first, MADV_WILLNEED);
  unsigned long end = (unsigned long)etext & -page;
  if (last + page < end) madvise((void *)(last + page), end - last - page, MADV_RANDOM);
}

void return_large_memory(void) { mallopt(M_MMAP_THRESHOLD, 64 * 1024); }
