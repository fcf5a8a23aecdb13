#define _GNU_SOURCE
#include "BusStandIn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// The daemon prints its address when it listens; nothing else is printed there.
static int wait_for_address(int descriptor) {
  char byte = 0;
  ssize_t count;
  while ((count = read(descriptor, &byte, 1)) > 0 || (count < 0 && errno == EINTR))
    if (count > 0 && byte == '\n') return 0;
  return -ECONNREFUSED;
}

int standin_bus_start(const char *configuration) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
  char file[512];
  snprintf(file, sizeof file, "--config-file=%s", configuration);
  char *const arguments[] = {"dbus-daemon", file, "--nofork", "--nopidfile", "--print-address=1", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  pid_t process = 0;
  int result = -posix_spawnp(&process, "dbus-daemon", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (result == 0) {
    result = wait_for_address(ends[0]);
    if (result < 0) standin_process_stop(process);
  }
  close(ends[0]);
  return result < 0 ? result : process;
}

void standin_process_stop(int process) {
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

int standin_alsa_start(const char *program, const char *libraries, const char *address) {
  char bus[512], folder[512];
  snprintf(bus, sizeof bus, "DBUS_SYSTEM_BUS_ADDRESS=%s", address);
  snprintf(folder, sizeof folder, "LD_LIBRARY_PATH=%s", libraries);
  char *const arguments[] = {"bluealsa", "-p", "a2dp-source", NULL};
  char *const environment[] = {bus, folder, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // It logs what it does.
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int result = -posix_spawn(&process, program, &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  return result < 0 ? result : process;
}
