// The libraries that decode and convert, and their functions. Each is loaded when the first file needs it: a process that
// plays MP3s reads, maps and binds none of the others, and the firmware, which leaves decoding to processes of its own, none
// at all.
#pragma once

#include <FLAC/stream_decoder.h>
#include <mpg123.h>
#include <opus/opusfile.h>
#include <sndfile.h>
#include <soxr.h>
// The header would define four sets of callbacks that nobody uses.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>

// Every function that is called, by its name without the library's prefix.
#define MPG123_FUNCTIONS(use)                                                                                          \
  use(mpg123_, close) use(mpg123_, decode_frame) use(mpg123_, delete) use(mpg123_, errcode) use(mpg123_, format2)      \
  use(mpg123_, format_none) use(mpg123_, framebyframe_next) use(mpg123_, framelength) use(mpg123_, framepos)           \
  use(mpg123_, getformat) use(mpg123_, getstate2) use(mpg123_, getvolume) use(mpg123_, id3) use(mpg123_, info2)        \
  use(mpg123_, new) use(mpg123_, open_handle) use(mpg123_, param2) use(mpg123_, plain_strerror)                        \
  use(mpg123_, replace_buffer) use(mpg123_, replace_reader_handle) use(mpg123_, seek) use(mpg123_, set_index)          \
  use(mpg123_, spf)

#define FLAC_FUNCTIONS(use)                                                                                            \
  use(FLAC__stream_decoder_, delete) use(FLAC__stream_decoder_, get_decode_position)                                   \
  use(FLAC__stream_decoder_, get_state) use(FLAC__stream_decoder_, init_ogg_stream)                                    \
  use(FLAC__stream_decoder_, init_stream) use(FLAC__stream_decoder_, new) use(FLAC__stream_decoder_, process_single)   \
  use(FLAC__stream_decoder_, process_until_end_of_metadata) use(FLAC__stream_decoder_, reset)                          \
  use(FLAC__stream_decoder_, seek_absolute) use(FLAC__stream_decoder_, set_metadata_respond)                           \
  use(FLAC__stream_decoder_, set_ogg_serial_number)

#define VORBISFILE_FUNCTIONS(use)                                                                                      \
  use(ov_, clear) use(ov_, comment) use(ov_, info) use(ov_, open_callbacks) use(ov_, pcm_seek) use(ov_, pcm_tell)      \
  use(ov_, pcm_total) use(ov_, raw_seek) use(ov_, raw_tell) use(ov_, read_float) use(ov_, streams)

#define OPUSFILE_FUNCTIONS(use)                                                                                        \
  use(op_, channel_count) use(op_, free) use(op_, open_callbacks) use(op_, pcm_seek) use(op_, pcm_tell)                \
  use(op_, pcm_total) use(op_, read_float) use(op_, tags)

#define SNDFILE_FUNCTIONS(use)                                                                                         \
  use(sf_, close) use(sf_, command) use(sf_, get_string) use(sf_, open_virtual) use(sf_, readf_float) use(sf_, seek)   \
  use(sf_, strerror)

#define SOXR_FUNCTIONS(use)                                                                                            \
  use(soxr_, create) use(soxr_, delete) use(soxr_, io_spec) use(soxr_, process) use(soxr_, quality_spec)               \
  use(soxr_, runtime_spec)

// `mpg123.seek` is mpg123_seek, with the type that the header gives it. It may be called once decoder_library_load() has
// found its library, which alone writes here.
#define FUNCTION(prefix, name) __typeof__(prefix##name) *_Nonnull name;
#define LIBRARY(library, FUNCTIONS)                                                                                    \
  struct library##_functions {                                                                                         \
    FUNCTIONS(FUNCTION)                                                                                                \
  };                                                                                                                   \
  extern struct library##_functions library __attribute__((swift_attr("nonisolated(unsafe)")));
LIBRARY(mpg123, MPG123_FUNCTIONS)
LIBRARY(flac, FLAC_FUNCTIONS)
LIBRARY(vorbisfile, VORBISFILE_FUNCTIONS)
LIBRARY(opusfile, OPUSFILE_FUNCTIONS)
LIBRARY(sndfile, SNDFILE_FUNCTIONS)
LIBRARY(soxr, SOXR_FUNCTIONS)
#undef FUNCTION
#undef LIBRARY

enum decoder_library {
  decoder_library_mpg123,
  decoder_library_flac,
  decoder_library_vorbisfile,
  decoder_library_opusfile,
  decoder_library_sndfile,
  decoder_library_soxr,
  decoder_libraries,
};

// Loads a library unless that was done. Returns NULL, or why its functions cannot be called, valid until the thread's next
// call. Any thread.
const char *_Nullable decoder_library_load(int library);

// From now on this process can load no library.
void decoder_libraries_seal(void);

// The libraries that were asked for in vain since then, as a set of bits.
unsigned decoder_libraries_missed(void);
