#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node of a document is.
typedef enum ctoml_kind {
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  CTOML_ARRAY,
  CTOML_TABLE,
  /// A date, a time or both: legal TOML that this shim gives no value for.
  CTOML_DATE_TIME,
} ctoml_kind;

/// Bytes of UTF-8 owned by the document. May hold NUL bytes and does not end with one.
typedef struct ctoml_text {
  const char *bytes;
  size_t length;
} ctoml_text;

/// One value of a document.
typedef struct ctoml_node {
  ctoml_kind kind;
  /// Index of the table or array it is in; the root's is its own, 0.
  size_t parent;
  /// Its name in the table it is in; empty in an array and at the root.
  ctoml_text key;
  /// Where the value or the table's header starts, from 1; columns count code points.
  uint32_t line;
  uint32_t column;
  /// Set by kind; zero or empty otherwise.
  ctoml_text string;
  int64_t integer;
  double floating;
  bool boolean;
} ctoml_node;

/// Why a text is not TOML, and where.
typedef struct ctoml_error {
  uint32_t line;
  uint32_t column;
  /// May quote parts of the text.
  ctoml_text message;
} ctoml_error;

/// Deepest nesting of arrays and inline tables.
#define CTOML_DEPTH 32

/// Most dots on a line, whatever they stand in; those side by side count once, because a key has none. toml++ 3.3 and
/// 3.4 put no bound on the parts of a dotted key, and free the tables of one by recursion, so that one long key would
/// overflow the stack. A key ends with its line.
#define CTOML_DOTS 100

/// The result of one parse. Everything reached through it lives until `ctoml_free`.
typedef struct ctoml_document ctoml_document;

/// Parses `length` bytes of any content; they are not needed afterwards. NULL when memory is short.
ctoml_document *ctoml_parse(const char *text, size_t length);

/// NULL when the text was parsed; there are no nodes otherwise.
const ctoml_error *ctoml_parse_error(const ctoml_document *document);

/// The root table at index 0, then every value behind the table or array it is in. A table's values come in the order
/// of their keys, an array's in the order of the array.
const ctoml_node *ctoml_nodes(const ctoml_document *document);
size_t ctoml_node_count(const ctoml_document *document);

/// Frees a document, its nodes and its error. NULL is allowed.
void ctoml_free(ctoml_document *document);

#ifdef __cplusplus
}
#endif
