#define _GNU_SOURCE
#include "JailProbe.h"

#include <DecoderJail.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int attempts(enum jail_probe attempt, int file) {
  struct stat status;
  char *arguments[] = {"true", NULL};
  switch (attempt) {
    case probe_nothing: return 1;
    case probe_memory: return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    case probe_share: return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
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
  }
  return 0;
}

int jail_probe(enum jail_probe attempt) {
  pid_t process = fork();
  if (process == 0) {
    int file = open("/dev/zero", O_RDONLY);
    if (decoder_confine(1ul << 30) != 0) _exit(2);
    _exit(attempts(attempt, file) ? 0 : 1);
  }
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}
