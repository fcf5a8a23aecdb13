#define _GNU_SOURCE
#include "DecoderJail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: - The parent's side

static int add_descriptors(posix_spawn_file_actions_t *actions, int socket, int memory) {
  for (int standard = 0; standard < 3; standard++) {
    int result = posix_spawn_file_actions_addopen(actions, standard, "/dev/null", O_RDWR, 0);
    if (result) return result;
  }
  int result = posix_spawn_file_actions_adddup2(actions, socket, decoder_socket);
  if (!result) result = posix_spawn_file_actions_adddup2(actions, memory, decoder_memory);
  if (!result) result = posix_spawn_file_actions_addclosefrom_np(actions, decoder_memory + 1);
  return result;
}

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  struct sched_param normal = {0};
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setschedpolicy(attributes, SCHED_OTHER);
  posix_spawnattr_setschedparam(attributes, &normal);
  return posix_spawnattr_setflags(
      attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSCHEDULER);
}

int decoder_start(
    const char *program, const char *command, const char *libraries, int socket, int memory, pid_t *process) {
  // Above all numbers that they will have, so that none of them is overwritten before it is copied.
  int sources[2] = {fcntl(socket, F_DUPFD_CLOEXEC, 16), fcntl(memory, F_DUPFD_CLOEXEC, 16)};
  int result = sources[0] < 0 || sources[1] < 0 ? errno : 0;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  if (!result) result = add_descriptors(&actions, sources[0], sources[1]);
  if (!result) result = set_attributes(&attributes);
  char *arguments[] = {"jackdaw", (char *)command, (char *)libraries, NULL};
  if (!result) result = posix_spawn(process, program, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  for (int at = 0; at < 2; at++)
    if (sources[at] >= 0) close(sources[at]);
  return result;
}

int decoder_connect(int sockets[2]) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0 ? 0 : errno;
}

int decoder_share(unsigned long size) {
  int memory = memfd_create("jackdaw-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  if (ftruncate(memory, (off_t)size) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return memory;
  int code = errno;
  close(memory);
  errno = code;
  return -1;
}

long long decoder_processor_time(pid_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int decoder_watch(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// MARK: - The jail

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer makes calls and takes memory and threads of its own.
#define SANITIZED
#endif
#endif

#if defined(SANITIZED)
#elif defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
// What the decoders, the allocator and the Swift runtime use once they are loaded; files are read by `pread` only.
static const int allowed[] = {
    SYS_pread64, SYS_read, SYS_write, SYS_close, SYS_recvmsg, SYS_sendmsg,
    SYS_munmap, SYS_mremap, SYS_brk, SYS_madvise, SYS_futex, SYS_sched_yield,
    SYS_clock_gettime, SYS_gettimeofday, SYS_getrandom, SYS_sysinfo,
    SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_restart_syscall,
    // On ARM, libmpg123 tries an instruction that the processor may lack whenever it opens a file.
    SYS_rt_sigaction, SYS_rt_sigprocmask,
#ifdef SYS_time
    SYS_time,
#endif
};

enum { count_of_allowed = sizeof allowed / sizeof *allowed };

static const struct sock_filter beginning[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    // On ARM, libopus looks into /proc/cpuinfo for each file, and does without where it cannot.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    // Memory of its own, without a file and without code. Neither shared memory nor a mapping that grows as a stack does
    // would count as data.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 7),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 4, 0),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(unsigned)(MAP_NORESERVE | MAP_STACK)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_PRIVATE | MAP_ANONYMOUS, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

enum { count_of_beginning = sizeof beginning / sizeof *beginning };

static int install_filter(void) {
  struct sock_filter filter[count_of_beginning + 2 * count_of_allowed + 1];
  memcpy(filter, beginning, sizeof beginning);
  struct sock_filter *next = filter + count_of_beginning;
  for (int at = 0; at < count_of_allowed; at++) {
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[at], 0, 1);
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  struct sock_fprog program = {.len = (unsigned short)(next - filter), .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}
#else
static int install_filter(void) { return ENOTSUP; }
#endif

static void limit(__rlimit_resource_t resource, rlim_t most) {
  struct rlimit limit = {most, most};
  setrlimit(resource, &limit);
}

// The kernel takes this process first when memory is short, whatever the firmware is granted.
static void yield_memory(void) {
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score < 0) return;
  ssize_t written = write(score, "500", 3);
  (void)written;
  close(score);
}

#ifndef SANITIZED
// What this process has mapped by now, in bytes; 0 where that cannot be read.
static unsigned long mapped(void) {
  char text[32] = {0};
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  return count > 0 ? strtoul(text, NULL, 10) * (unsigned long)sysconf(_SC_PAGESIZE) : 0;
}

// The limit on data leaves out what is shared, read-only or a stack; that on addresses counts it, too, also where the
// kernel refuses the filter, and what mremap(2) makes of a mapping that is there already.
static void limit_memory(unsigned long memory) {
  limit(RLIMIT_DATA, memory);
  unsigned long before = mapped();
  if (before > 0) limit(RLIMIT_AS, before + memory);
}
#endif

int decoder_confine(unsigned long memory) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Who ends the firmware, a terminal or systemd, may send these to all of its processes. The socket that closes ends it.
  const int ignored[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  for (size_t at = 0; at < sizeof ignored / sizeof *ignored; at++) signal(ignored[at], SIG_IGN);
  prctl(PR_SET_NAME, "jackdaw-decode");
  yield_memory();
#ifndef SANITIZED
  limit_memory(memory);
#else
  (void)memory;
#endif
  limit(RLIMIT_NOFILE, 64);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_MSGQUEUE, 0);
  limit(RLIMIT_RTPRIO, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return install_filter();
}

int decoder_confinement_refusal(void) {
#ifdef ARCHITECTURE
  // A kernel that has filters refuses this one only for its address.
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == 0) return 0;
  return errno == EFAULT ? 0 : errno;
#else
  return ENOTSUP;
#endif
}

// MARK: - Messages

union control {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr align;
};

long decoder_send(int socket, const void *bytes, unsigned long count, int descriptor) {
  union control control = {0};
  struct iovec piece = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

long decoder_receive(int socket, void *bytes, unsigned long count, int *descriptor, int waits) {
  union control control = {0};
  struct iovec piece = {bytes, count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (descriptor) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    *descriptor = -1;
  }
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
  } while (received < 0 && errno == EINTR);
  if (received < 0 || !descriptor) return received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int)))
    memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  return received;
}
