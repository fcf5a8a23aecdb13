#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

// The first and the last of the functions that deploy/link-order has placed side by side. Different, because the linker
// makes one of equal ones; in sections of their own, because it orders sections.
__attribute__((section(".text.first"))) void first_of_ordered_code(void) { __asm__ volatile("" : : "r"(1)); }
__attribute__((section(".text.last"))) void last_of_ordered_code(void) { __asm__ volatile("" : : "r"(2)); }
extern const char etext[], __data_start[], __bss_start[];

// Where the code between them is that a kiosk calls: pairs of bytes behind the page of 4 KiB that has the first one and of
// lengths, up to a length of 0. deploy/link-order/called-ranges writes them into the linked program; without, it is all that
// is between.
enum { most_ranges = 64 };
__attribute__((section("called_code_ranges"))) unsigned called_code[2 * most_ranges] = {0, 0};

static void advise(unsigned long first, unsigned long end, int advice) {
  unsigned long whole = -(unsigned long)sysconf(_SC_PAGESIZE);
  if ((first & whole) < end) madvise((void *)(first & whole), end - (first & whole), advice);
}

// One call makes the kernel read no more than its read-ahead size, or than the device takes in one request: 512 KiB of
// an SD card. The rest would be read page by page, as it is used. 128 KiB is the kernel's default
// for reading ahead, so that no device takes less.
enum { asked_at_once = 128 * 1024 };

void read_pages_ahead(const void *address, unsigned long size) {
  unsigned long whole = -(unsigned long)sysconf(_SC_PAGESIZE), end = (unsigned long)address + size;
  for (unsigned long first = (unsigned long)address & whole; first < end; first += asked_at_once)
    advise(first, end - first < asked_at_once ? end : first + asked_at_once, MADV_WILLNEED);
}

void read_code_ahead(void) {
  unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
  // Ranges count from a page of 4 KiB; what is advised begins at one of the kernel's.
  unsigned long first = (unsigned long)first_of_ordered_code & -4096ul, last = (unsigned long)last_of_ordered_code;
  // In a program that was linked without the order nothing is between them.
  if (last < first + 16 * page) return;
  advise(first, (unsigned long)etext & -page, MADV_RANDOM);
  // Constants are among the data.
  advise((unsigned long)__data_start, (unsigned long)__bss_start & -page, MADV_RANDOM);
  if (called_code[1] == 0) read_pages_ahead((void *)first, last + 1 - first);
  for (int at = 0; at < 2 * most_ranges && called_code[at + 1] != 0; at += 2)
    read_pages_ahead((void *)(first + called_code[at]), called_code[at + 1]);
}

void keep_memory_small(void) {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}
