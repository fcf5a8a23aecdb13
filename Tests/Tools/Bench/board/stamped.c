// stamped GROUP PROGRAM ARGUMENT…: runs a program in a control group of Linux (a folder of cgroup2 with `io` and `memory`)
// and prints each of its lines with what had passed by then: `SECONDS read BYTES faults MAJOR LINE`, where the seconds are
// those of CLOCK_MONOTONIC, and bytes read from disks and major faults are those of the group. The first line is `exec`,
// the last `end`. SIGTERM is passed on to the program. The exit status is the program's.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;

static void pass_on(int number) { kill(child, number); }

/// The sum of all numbers in a file of the group that follow a name.
static unsigned long long sum(const char *group, const char *file, const char *name) {
  char path[256], word[256];
  unsigned long long found = 0;
  snprintf(path, sizeof path, "%s/%s", group, file);
  FILE *opened = fopen(path, "r");
  int is_next = 0;
  while (opened != NULL && fscanf(opened, "%255s", word) == 1) {
    size_t length = strlen(name);
    // `pgmajfault 3` in one file, `rbytes=4096` in the other.
    if (is_next) found += strtoull(word, NULL, 10);
    is_next = strcmp(word, name) == 0;
    if (strncmp(word, name, length) == 0 && word[length] == '=') found += strtoull(word + length + 1, NULL, 10);
  }
  if (opened != NULL) fclose(opened);
  return found;
}

static void print(const char *group, const char *line) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%ld.%06ld read %llu faults %llu %s", (long)now.tv_sec, now.tv_nsec / 1000, sum(group, "io.stat", "rbytes"),
      sum(group, "memory.stat", "pgmajfault"), line);
  fflush(stdout);
}

static int join(const char *group) {
  char path[256];
  snprintf(path, sizeof path, "%s/cgroup.procs", group);
  FILE *members = fopen(path, "w");
  return members != NULL && fprintf(members, "0\n") > 0 && fclose(members) == 0;
}

int main(int count, char **words) {
  int lines[2];
  if (count < 3 || pipe(lines) != 0) return 2;
  child = fork();
  if (child == 0) {
    if (!join(words[1])) {
      perror(words[1]);
      _exit(127);
    }
    print(words[1], "exec\n");
    dup2(lines[1], STDOUT_FILENO);
    dup2(lines[1], STDERR_FILENO);
    close(lines[0]);
    close(lines[1]);
    execvp(words[2], words + 2);
    perror(words[2]);
    _exit(127);
  }
  close(lines[1]);
  signal(SIGTERM, pass_on);
  FILE *printed = fdopen(lines[0], "r");
  char line[4096];
  while (printed != NULL && fgets(line, sizeof line, printed) != NULL) print(words[1], line);
  int status;
  while (waitpid(child, &status, 0) < 0) {}
  print(words[1], "end\n");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
