// What a process may do once it is confined as a decoder.
#pragma once

enum jail_probe {
  probe_nothing,
  probe_memory,
  probe_share,
  probe_open,
  probe_stat,
  probe_socket,
  probe_fork,
  probe_execute,
  probe_kill,
  probe_code,
  probe_map_file,
  probe_ptrace,
  probe_descriptors,
};

// Confines a process made for it, lets it try, and returns its status as waitpid(2) has it. The process exits with 0
// where the attempt worked, and with 1 where it was refused.
int jail_probe(enum jail_probe attempt);
