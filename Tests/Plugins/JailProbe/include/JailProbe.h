// What a process may do once it is confined as a decoder.
#pragma once

enum jail_probe {
  probe_nothing,
  probe_memory,
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
  // Memory that the limit on data leaves out, by a call or a flag that decoding does not need.
  probe_shared,
  probe_shared_file,
  probe_growing,
  probe_memfd,
  probe_segment,
  probe_ring,
  probe_faults,
  // More memory than allowed, by the calls that it does.
  probe_much,
  probe_much_read_only,
  probe_grown,
  probe_duplicates,
};

// Whether this kernel has filters for system calls and nothing in this process, such as a sanitizer, is in the way of them.
int jail_is_possible(void);

// Confines a process made for it, lets it try, and returns its status as waitpid(2) has it. The process exits with 0
// where the attempt worked, and with 1 where it was refused.
int jail_probe(enum jail_probe attempt);

// As sendmsg(2), with a descriptor twice.
long send_two(int socket, const void *bytes, unsigned long count, int descriptor);

// Makes a copy of this process that sends itself this signal, and returns its status as waitpid(2) has it.
int crash_probe(int signal);
