// Counts what the audio thread allocates and frees while it plays: 0 is the only right answer, because any call of the
// allocator may wait for a lock or for the kernel.
//
//   gcc -shared -fPIC -O2 -Wall -Wextra -Werror AllocationCounter.c -o allocation-counter.so -lasound
//   ALLOCATIONS=counted.txt LD_PRELOAD=./allocation-counter.so jackdaw run …
//
// The audio thread is the one that writes to a PCM. What it allocates from one write to the next counts, unless a
// device was closed between, by whatever thread: the way to a lost output and back may allocate. Its first 1,000 writes are left out; after 100,000
// more `renders=100000 allocations=N` goes to the file that ALLOCATIONS names and the program is ended with SIGTERM.
// Where N is not 0, the addresses of the first one's callers follow, for addr2line.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WARM_UP = 1000, RENDERS = 100000, DEPTH = 12 };

// The names under which glibc keeps its own allocator for those who replace it.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

typedef struct {
  unsigned long writes;
  unsigned long calls;    // of the allocator that count
  unsigned long pending;  // since the last write
  int is_tracing;         // what backtrace allocates is ours
} audio_thread;

static __thread audio_thread audio __attribute__((tls_model("initial-exec")));
/// Whether a device was closed since the audio thread wrote last.
static atomic_int has_closed;
static void *culprit[DEPTH];
static int depth;

static void count(void) {
  if (audio.writes < WARM_UP || audio.is_tracing) return;
  audio.pending += 1;
  if (audio.calls > 0 || audio.pending > 1) return;
  audio.is_tracing = 1;
  depth = backtrace(culprit, DEPTH);
  audio.is_tracing = 0;
}

static void tell(void) {
  const char *path = getenv("ALLOCATIONS");
  int file = path == NULL ? STDERR_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  dprintf(file, "renders=%d allocations=%lu\n", RENDERS, audio.calls);
  if (audio.calls > 0) backtrace_symbols_fd(culprit, depth, file);
  if (file != STDERR_FILENO) close(file);
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *samples, snd_pcm_uframes_t frames) {
  static snd_pcm_sframes_t (*real)(snd_pcm_t *, const void *, snd_pcm_uframes_t);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "snd_pcm_writei");
  snd_pcm_sframes_t written = real(pcm, samples, frames);
  if (written <= 0) return written;
  if (!atomic_exchange(&has_closed, 0)) audio.calls += audio.pending;
  audio.pending = 0;
  audio.writes += 1;
  if (audio.writes == WARM_UP + RENDERS) {
    tell();
    kill(getpid(), SIGTERM);
  }
  return written;
}

int snd_pcm_close(snd_pcm_t *pcm) {
  static int (*real)(snd_pcm_t *);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "snd_pcm_close");
  atomic_store(&has_closed, 1);
  return real(pcm);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *memory = block;
  return 0;
}

void free(void *memory) {
  if (memory != NULL) count();
  __libc_free(memory);
}
