#include "CDecoders.h"

#include <FLAC/export.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct mpg123_functions mpg123;
struct flac_functions flac;
struct vorbisfile_functions vorbisfile;
struct opusfile_functions opusfile;
struct sndfile_functions sndfile;
struct soxr_functions soxr;

// The name of each function, in the order of the structure that it goes into.
#define NAME(prefix, name) #prefix #name,
static const char *const of_mpg123[] = {MPG123_FUNCTIONS(NAME) NULL};
static const char *const of_flac[] = {FLAC_FUNCTIONS(NAME) NULL};
static const char *const of_vorbisfile[] = {VORBISFILE_FUNCTIONS(NAME) NULL};
static const char *const of_opusfile[] = {OPUSFILE_FUNCTIONS(NAME) NULL};
static const char *const of_sndfile[] = {SNDFILE_FUNCTIONS(NAME) NULL};
static const char *const of_soxr[] = {SOXR_FUNCTIONS(NAME) NULL};

// By the names that a program which is linked with them asks for.
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
static struct {
  const char *file;
  const char *const *names;
  // Pointers to functions, one after the other.
  void *functions;
  enum { unknown, loaded, failed } state;
} libraries[decoder_libraries] = {
    [decoder_library_mpg123] = {"libmpg123.so.0", of_mpg123, &mpg123, unknown},
    // The only one whose number has changed between the systems that the program is built for.
    [decoder_library_flac] = {"libFLAC.so." TEXT(FLAC_API_VERSION_CURRENT), of_flac, &flac, unknown},
    [decoder_library_vorbisfile] = {"libvorbisfile.so.3", of_vorbisfile, &vorbisfile, unknown},
    [decoder_library_opusfile] = {"libopusfile.so.0", of_opusfile, &opusfile, unknown},
    [decoder_library_sndfile] = {"libsndfile.so.1", of_sndfile, &sndfile, unknown},
    [decoder_library_soxr] = {"libsoxr.so.0", of_soxr, &soxr, unknown},
};
_Static_assert(FLAC_API_VERSION_AGE == 0, "the number in the name of libFLAC is that of the oldest interface it offers");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_sealed;
static unsigned missed;

static const char *load(int library) {
  void *handle = dlopen(libraries[library].file, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return dlerror();
  void **function = libraries[library].functions;
  for (const char *const *name = libraries[library].names; *name != NULL; name++, function++)
    if ((*function = dlsym(handle, *name)) == NULL) return dlerror();
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
