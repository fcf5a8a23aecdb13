#define _GNU_SOURCE
#include "JailProbe.h"

#include <DecoderJail.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { page = 4096 };
// What a process may have besides what it has; each probe of more asks for twice that.
static const unsigned long most = 1ul << 30;
// Mapped before it is confined, as the frames of a decoder are.
static const unsigned long shared_size = 64ul << 20;

static int maps(unsigned long size, int protection, int flags, int file) {
  return mmap(NULL, size, protection, flags, file, 0) != MAP_FAILED;
}

static int grows(void) {
  void *mapping = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapping != MAP_FAILED && mremap(mapping, page, 2 * most, MREMAP_MAYMOVE) != MAP_FAILED;
}

// A size of 0 leaves a shared mapping where it is and makes another of the same memory.
static int duplicates(void *shared) {
  for (unsigned long all = 0; all < 2 * most; all += shared_size)
    if (mremap(shared, 0, shared_size, MREMAP_MAYMOVE) == MAP_FAILED) return 0;
  return 1;
}

static int attempts(enum jail_probe attempt, int file, int memory, void *shared) {
  const int both = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS;
  struct stat status;
  char *arguments[] = {"true", NULL};
  switch (attempt) {
    case probe_nothing: return 1;
    case probe_memory: return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    case probe_open: return open("/dev/null", O_RDONLY) >= 0;
    case probe_stat: return stat("/", &status) == 0;
    case probe_socket: return socket(AF_UNIX, SOCK_DGRAM, 0) >= 0;
    case probe_fork: return fork() >= 0;
    case probe_execute: return execv("/bin/true", arguments) == 0;
    case probe_kill: return kill(getppid(), 0) == 0;
    case probe_code: return mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    case probe_map_file: return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) != MAP_FAILED;
    case probe_ptrace: return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
    case probe_descriptors: return dup(file) >= 0;
    case probe_shared: return maps(page, both, MAP_SHARED | MAP_ANONYMOUS, -1);
    case probe_shared_file: return maps(page, both, MAP_SHARED, memory);
    case probe_growing: return maps(page, both, own | MAP_GROWSDOWN, -1);
    case probe_memfd: return memfd_create("more", 0) >= 0;
    case probe_segment: return syscall(SYS_shmget, 0, page, 0600) >= 0;
    case probe_ring: return syscall(SYS_io_uring_setup, 1, NULL) >= 0;
    case probe_faults: return syscall(SYS_userfaultfd, 0) >= 0;
    case probe_much: return maps(2 * most, both, own | MAP_NORESERVE, -1);
    case probe_much_read_only: return maps(2 * most, PROT_READ, own | MAP_NORESERVE, -1);
    case probe_grown: return grows();
    case probe_duplicates: return duplicates(shared);
  }
  return 0;
}

int jail_probe(enum jail_probe attempt) {
  pid_t process = fork();
  if (process == 0) {
    int file = open("/dev/zero", O_RDONLY);
    int memory = decoder_share(shared_size);
    void *shared = mmap(NULL, shared_size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (shared == MAP_FAILED || decoder_confine(most) != 0) _exit(2);
    _exit(attempts(attempt, file, memory, shared) ? 0 : 1);
  }
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}

long send_two(int socket, const void *bytes, unsigned long count, int descriptor) {
  union {
    char bytes[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr align;
  } control = {0};
  struct iovec piece = {(void *)bytes, count};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const int both[] = {descriptor, descriptor};
  memcpy(CMSG_DATA(header), both, sizeof both);
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

int jail_is_possible(void) {
#ifdef SANITIZED
  return 0;
#else
  // Only a kernel that has them gets as far as the address of the filter.
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
#endif
}

int crash_probe(int signal) {
  pid_t process = fork();
  if (process == 0) {
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    raise(signal);
    _exit(0);
  }
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}
