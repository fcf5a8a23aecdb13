// Where opusfile.h looks for it without pkg-config's path, which everything that is built on decoding would need.
#include <opus/opus_multistream.h>
