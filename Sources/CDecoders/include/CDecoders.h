// The libraries that decode, loaded when the first file needs one: a process that plays MP3s reads, maps and binds none of
// the others, and the firmware, which leaves decoding to processes of its own, none at all.
#pragma once

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
const char *decoder_library_load(int library);

// From now on this process can load no library.
void decoder_libraries_seal(void);

// The libraries that were asked for in vain since then, as a set of bits.
unsigned decoder_libraries_missed(void);
