// Every function of the libraries that decode which is called, and the name by which Swift calls it: CDecoders.c makes a
// function of that name, which jumps to the library's own. A call that is missing here does not link in a release.
#pragma once

#define CALLED_AS(words) _Pragma(#words)
#define CALLED_LATER(name) CALLED_AS(redefine_extname name later_##name)

#define MPG123_FUNCTIONS(use)                                                                                          \
  use(mpg123_close) use(mpg123_decode_frame) use(mpg123_delete) use(mpg123_errcode) use(mpg123_format2)                \
  use(mpg123_format_none) use(mpg123_framebyframe_next) use(mpg123_framelength) use(mpg123_framepos)                   \
  use(mpg123_getformat) use(mpg123_getstate2) use(mpg123_getvolume) use(mpg123_id3) use(mpg123_info2) use(mpg123_new)  \
  use(mpg123_open_handle) use(mpg123_param2) use(mpg123_plain_strerror) use(mpg123_replace_buffer)                     \
  use(mpg123_replace_reader_handle) use(mpg123_seek) use(mpg123_set_index)                                        \
  use(mpg123_spf)

#define FLAC_FUNCTIONS(use)                                                                                            \
  use(FLAC__stream_decoder_delete) use(FLAC__stream_decoder_get_decode_position) use(FLAC__stream_decoder_get_state)   \
  use(FLAC__stream_decoder_init_ogg_stream) use(FLAC__stream_decoder_init_stream) use(FLAC__stream_decoder_new)        \
  use(FLAC__stream_decoder_process_single) use(FLAC__stream_decoder_process_until_end_of_metadata)                     \
  use(FLAC__stream_decoder_reset) use(FLAC__stream_decoder_seek_absolute)                                              \
  use(FLAC__stream_decoder_set_metadata_respond) use(FLAC__stream_decoder_set_ogg_serial_number)

#define VORBISFILE_FUNCTIONS(use)                                                                                      \
  use(ov_clear) use(ov_comment) use(ov_info) use(ov_open_callbacks) use(ov_pcm_seek) use(ov_pcm_tell)                  \
  use(ov_pcm_total) use(ov_raw_seek) use(ov_raw_tell) use(ov_read_float) use(ov_streams)

#define OPUSFILE_FUNCTIONS(use)                                                                                        \
  use(op_channel_count) use(op_free) use(op_open_callbacks) use(op_pcm_seek) use(op_pcm_tell) use(op_pcm_total)        \
  use(op_read_float) use(op_tags)

#define SNDFILE_FUNCTIONS(use)                                                                                         \
  use(sf_close) use(sf_command) use(sf_get_string) use(sf_open_virtual) use(sf_readf_float) use(sf_seek)               \
  use(sf_strerror)

#define SOXR_FUNCTIONS(use)                                                                                            \
  use(soxr_create) use(soxr_delete) use(soxr_io_spec) use(soxr_process) use(soxr_quality_spec) use(soxr_runtime_spec)
