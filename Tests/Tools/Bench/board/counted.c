// counted OUT PROGRAM ARGUMENT…: runs a program and writes to OUT how many instructions it retired with all its threads
// and children, in user mode and in the kernel, and whether they were counted all the time: `user N kernel N whole 1`.
// SIGTERM is passed on to the program. The exit status is the program's.
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void pass_on(int number) { kill(child, number); }

/// A counter of a process that starts with its exec; -1 with `errno` where the processor counts nothing.
static int open_counter(pid_t process, int is_kernel) {
  struct perf_event_attr counted = {
      .type = PERF_TYPE_HARDWARE,
      .size = sizeof counted,
      .config = PERF_COUNT_HW_INSTRUCTIONS,
      .disabled = 1,
      .inherit = 1,
      .enable_on_exec = 1,
      .exclude_user = is_kernel,
      .exclude_kernel = !is_kernel,
      .exclude_hv = 1,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
  };
  return (int)syscall(SYS_perf_event_open, &counted, process, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

typedef struct {
  uint64_t count, enabled, running;
} reading;

int main(int count, char **words) {
  if (count < 3) return 2;
  int ready[2];
  if (pipe(ready) != 0) return 2;
  child = fork();
  if (child == 0) {
    char byte;
    close(ready[1]);
    (void)!read(ready[0], &byte, 1);  // ends when the counters are there
    close(ready[0]);
    execvp(words[2], words + 2);
    perror(words[2]);
    _exit(127);
  }
  int user = open_counter(child, 0), kernel = open_counter(child, 1);
  if (user < 0 || kernel < 0) {
    perror("counted: perf_event_open");
    kill(child, SIGKILL);
    return 3;
  }
  signal(SIGTERM, pass_on);
  close(ready[0]);
  close(ready[1]);
  int status;
  while (waitpid(child, &status, 0) < 0) {}
  reading in_user, in_kernel;
  if (read(user, &in_user, sizeof in_user) != sizeof in_user) return 3;
  if (read(kernel, &in_kernel, sizeof in_kernel) != sizeof in_kernel) return 3;
  // If both times are alike, the counter was never taken away, and nothing had to be estimated.
  int is_whole = in_user.enabled == in_user.running && in_kernel.enabled == in_kernel.running;
  FILE *out = fopen(words[1], "w");
  if (out == NULL) return 3;
  fprintf(out, "user %llu kernel %llu whole %d\n", (unsigned long long)in_user.count,
      (unsigned long long)in_kernel.count, is_whole);
  if (fclose(out) != 0) return 3;
  // SIGTERM is how a player that would go on is asked to end.
  return WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status) == SIGTERM ? 0 : 1;
}
