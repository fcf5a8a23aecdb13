// Starting a process that decodes, what it may do, and messages with a descriptor.
#pragma once
#include <sys/types.h>

// The descriptors of the process that `decoder_start` starts; 0 to 2 lead to /dev/null.
enum { decoder_socket = 3, decoder_memory = 4 };

// Starts `program` with two arguments and nothing of this process but its environment, `socket` and `memory`: no other
// descriptor, signal mask or real-time priority. Returns 0 and sets `process`, or returns an error number.
int decoder_start(
    const char *program, const char *command, const char *libraries, int socket, int memory, pid_t *process);

// Two connected sockets that keep messages apart. Returns 0 or an error number.
int decoder_connect(int sockets[2]);

// Anonymous memory of this size that nobody can make smaller, which would end whoever reads it. Returns a descriptor,
// or -1 with errno.
int decoder_share(unsigned long size);

// Processor time that a process has used, in nanoseconds; -1 where it is gone.
long long decoder_processor_time(pid_t process);

// A descriptor that becomes readable when the process has ended; -1 where the kernel has none.
int decoder_watch(pid_t process);

// Called in the started process: drops for good all rights that decoding does not need. It may use at most
// `memory` bytes of data, and map that much more than it has mapped by then. Returns 0, or the error number with which
// the kernel refused the system call filter; all other rights are dropped even then.
int decoder_confine(unsigned long memory);

// Returns 0 if this process could install such a filter, or the error number.
int decoder_confinement_refusal(void);

// As sendmsg(2) without waiting, with `descriptor` unless it is negative.
long decoder_send(int socket, const void *bytes, unsigned long count, int descriptor);

// As recvmsg(2). `descriptor` is set to what came along, or -1; where it is NULL, the kernel drops all that comes along:
// there is room for one, and alignment makes that room for two.
long decoder_receive(int socket, void *bytes, unsigned long count, int *descriptor, int waits);
