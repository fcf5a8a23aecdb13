#include "CDecoders.h"

#include "functions.h"

#include <FLAC/export.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define EACH_FUNCTION(use)                                                                                             \
  MPG123_FUNCTIONS(use)                                                                                                \
  FLAC_FUNCTIONS(use)                                                                                                  \
  VORBISFILE_FUNCTIONS(use)                                                                                            \
  OPUSFILE_FUNCTIONS(use)                                                                                              \
  SNDFILE_FUNCTIONS(use)                                                                                               \
  SOXR_FUNCTIONS(use)

// A released program is not linked with the libraries (Package.swift); tests are, so that they can call all of a library.
#ifdef LOADED_LATER
#define FIRST(name) NULL
#else
#define FIRST(name) (void *)name
#define DECLARE(name) extern char name[];
EACH_FUNCTION(DECLARE)
#endif

// The same jump that the linker makes for a function of a library that is loaded at the start.
#if defined(__x86_64__)
#define JUMP(place) "jmp *" place "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(place) "adrp x16, " place "\n ldr x16, [x16, :lo12:" place "]\n br x16\n"
#endif

#define DEFINE(name)                                                                                                   \
  __attribute__((used, visibility("hidden"))) void *place_of_##name = FIRST(name);                                     \
  __asm__(".pushsection .text.later_" #name ",\"ax\",%progbits\n"                                                      \
          ".globl later_" #name "\n"                                                                                   \
          ".hidden later_" #name "\n"                                                                                  \
          ".type later_" #name ", %function\n"                                                                         \
          "later_" #name ":\n" JUMP("place_of_" #name) ".size later_" #name ", . - later_" #name "\n"                  \
          ".popsection\n");
EACH_FUNCTION(DEFINE)

struct function {
  const char *name;
  void **place;
};

#define ENTRY(name) {#name, &place_of_##name},
static const struct function of_mpg123[] = {MPG123_FUNCTIONS(ENTRY){NULL, NULL}};
static const struct function of_flac[] = {FLAC_FUNCTIONS(ENTRY){NULL, NULL}};
static const struct function of_vorbisfile[] = {VORBISFILE_FUNCTIONS(ENTRY){NULL, NULL}};
static const struct function of_opusfile[] = {OPUSFILE_FUNCTIONS(ENTRY){NULL, NULL}};
static const struct function of_sndfile[] = {SNDFILE_FUNCTIONS(ENTRY){NULL, NULL}};
static const struct function of_soxr[] = {SOXR_FUNCTIONS(ENTRY){NULL, NULL}};

// By the names that a program which is linked with them asks for.
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
static struct {
  const char *file;
  const struct function *functions;
  enum { unknown, loaded, failed } state;
} libraries[decoder_libraries] = {
    [decoder_library_mpg123] = {"libmpg123.so.0", of_mpg123, unknown},
    // The only one whose number has changed between the systems that the program is built for.
    [decoder_library_flac] = {"libFLAC.so." TEXT(FLAC_API_VERSION_CURRENT), of_flac, unknown},
    [decoder_library_vorbisfile] = {"libvorbisfile.so.3", of_vorbisfile, unknown},
    [decoder_library_opusfile] = {"libopusfile.so.0", of_opusfile, unknown},
    [decoder_library_sndfile] = {"libsndfile.so.1", of_sndfile, unknown},
    [decoder_library_soxr] = {"libsoxr.so.0", of_soxr, unknown},
};
_Static_assert(FLAC_API_VERSION_AGE == 0, "the number in the name of libFLAC is that of the oldest interface it offers");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_sealed;
static unsigned missed;

static const char *load(int library) {
  void *handle = dlopen(libraries[library].file, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return dlerror();
  for (const struct function *function = libraries[library].functions; function->name != NULL; function++)
    if ((*function->place = dlsym(handle, function->name)) == NULL) return dlerror();
  return NULL;
}

const char *decoder_library_load(int library) {
  const char *reason = NULL;
  pthread_mutex_lock(&lock);
  if (libraries[library].state == failed) {
    reason = libraries[library].file;
  } else if (libraries[library].state == unknown && is_sealed) {
    missed |= 1u << library;
    reason = libraries[library].file;
  } else if (libraries[library].state == unknown) {
    reason = load(library);
    libraries[library].state = reason == NULL ? loaded : failed;
  }
  pthread_mutex_unlock(&lock);
  return reason;
}

void decoder_libraries_seal(void) {
  pthread_mutex_lock(&lock);
  is_sealed = 1;
  pthread_mutex_unlock(&lock);
}

unsigned decoder_libraries_missed(void) {
  pthread_mutex_lock(&lock);
  unsigned found = missed;
  pthread_mutex_unlock(&lock);
  return found;
}
