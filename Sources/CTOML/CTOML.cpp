#include "CTOML.h"

#include <string>
#include <string_view>
#include <vector>

// toml++ asserts, or with NDEBUG lets the compiler assume, that a header starts with a key, which `[=` does not. The
// check behind that assertion reports it, as long as it is neither fatal nor assumed.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES CTOML_DEPTH
#include <toml++/toml.h>

struct ctoml_document {
  toml::table root;
  std::vector<ctoml_node> nodes;
  std::string message;
  ctoml_error error{};
  bool failed = false;

  void fail(uint32_t line, uint32_t column, std::string_view reason) {
    failed = true;
    message = reason;
    error = {line, column, {message.data(), message.size()}};
  }
};

namespace {

ctoml_text borrowed(std::string_view text) { return {text.data(), text.size()}; }

/// Walks over the tokens of a text that matter for dotted keys. toml++ 3.3 and 3.4 put no bound on their parts and
/// free the tables of such a key by recursion, so that one long key would overflow the stack.
class KeyDepth {
 public:
  explicit KeyDepth(std::string_view text) : text(text) {}

  /// Whether a key with more than CTOML_DEPTH parts comes; `line` and `column` then say where it goes too far.
  bool exceeded() {
    size_t dots = 0;
    while (at < text.size()) {
      switch (text[at]) {
        case '#': skipComment(); break;
        case '"': case '\'': skipString(); break;
        case '.':
          if (++dots == CTOML_DEPTH) return true;
          at++;
          break;
        case '\n': startLine(); dots = 0; break;
        case '=': case ',': case '[': case '{': at++; dots = 0; break;
        default: at++; break;
      }
    }
    return false;
  }

  uint32_t line = 1;
  uint32_t column() const { return static_cast<uint32_t>(at - lineStart + 1); }

 private:
  std::string_view text;
  size_t at = 0;
  size_t lineStart = 0;

  bool has(size_t offset, char c) const { return at + offset < text.size() && text[at + offset] == c; }

  void startLine() {
    at++;
    line++;
    lineStart = at;
  }

  void skipComment() {
    while (at < text.size() && text[at] != '\n') at++;
  }

  void skipString() {
    const char quote = text[at];
    const bool longString = has(1, quote) && has(2, quote);
    at += longString ? 3 : 1;
    while (at < text.size()) {
      if (text[at] == '\n') {
        if (!longString) return;
        startLine();
      } else if (text[at] == '\\' && quote == '"' && !has(1, '\n')) {
        at += 2;
      } else if (text[at] != quote) {
        at++;
      } else if (!longString) {
        at++;
        return;
      } else if (has(1, quote) && has(2, quote)) {
        at += 3;
        // Up to two quotes may stand directly before the closing three.
        for (int extra = 0; extra < 2 && has(0, quote); extra++) at++;
        return;
      } else {
        at++;
      }
    }
  }
};

void append(ctoml_document &document, const toml::node &value, size_t parent, std::string_view key) {
  const auto place = value.source().begin;
  ctoml_node node{};
  node.kind = CTOML_DATE_TIME;
  node.parent = parent;
  node.key = borrowed(key);
  node.line = place.line;
  node.column = place.column;
  if (const auto *string = value.as_string()) {
    node.kind = CTOML_STRING;
    node.string = borrowed(string->get());
  } else if (const auto *integer = value.as_integer()) {
    node.kind = CTOML_INTEGER;
    node.integer = integer->get();
  } else if (const auto *floating = value.as_floating_point()) {
    node.kind = CTOML_FLOAT;
    node.floating = floating->get();
  } else if (const auto *boolean = value.as_boolean()) {
    node.kind = CTOML_BOOLEAN;
    node.boolean = boolean->get();
  } else if (value.is_array()) {
    node.kind = CTOML_ARRAY;
  } else if (value.is_table()) {
    node.kind = CTOML_TABLE;
  }
  const size_t index = document.nodes.size();
  document.nodes.push_back(node);
  if (const auto *table = value.as_table()) {
    for (const auto &[name, member] : *table) append(document, member, index, name.str());
  } else if (const auto *array = value.as_array()) {
    for (const auto &element : *array) append(document, element, index, {});
  }
}

void parse(ctoml_document &document, std::string_view text) {
  KeyDepth depth(text);
  if (depth.exceeded()) {
    document.fail(depth.line, depth.column(), "a key has more than " + std::to_string(CTOML_DEPTH) + " parts");
    return;
  }
  toml::parse_result result = toml::parse(text);
  if (!result) {
    const auto place = result.error().source().begin;
    document.fail(place.line, place.column, result.error().description());
    return;
  }
  document.root = std::move(result).table();
  append(document, document.root, 0, {});
}

}  // namespace

ctoml_document *ctoml_parse(const char *text, size_t length) {
  ctoml_document *document = nullptr;
  try {
    document = new ctoml_document;
    parse(*document, length == 0 ? std::string_view() : std::string_view(text, length));
    return document;
  } catch (...) {
    // Only memory can be short here: toml++ throws nothing of its own.
    delete document;
    return nullptr;
  }
}

const ctoml_error *ctoml_parse_error(const ctoml_document *document) {
  return document->failed ? &document->error : nullptr;
}

const ctoml_node *ctoml_nodes(const ctoml_document *document) { return document->nodes.data(); }

size_t ctoml_node_count(const ctoml_document *document) { return document->nodes.size(); }

void ctoml_free(ctoml_document *document) { delete document; }
