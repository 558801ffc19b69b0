#include "core/info.hpp"

#include <algorithm>
#include <functional>
#include <istream>
#include <streambuf>

#include <boost/property_tree/info_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <fmt/ranges.h>

#include "core/files.hpp"
#include "core/plain_text.hpp"
#include "core/text.hpp"

namespace tunecheck {

// The parser of Boost.PropertyTree keeps no line numbers. It makes a node while it works on a line
// that it asked the stream for, so a stream that hands out one line at a time and node data that
// notes the stream's line when it is made give each key its line, with one grammar and no second
// parser.
static thread_local int current_line = 0;

struct LinedText : std::string {
  LinedText() = default;
  LinedText(const LinedText&) = default;
  // The parser sets a value again for each of its continuation lines; the first line counts.
  LinedText& operator=(const LinedText& other) {
    std::string::operator=(other);
    return *this;
  }
  LinedText& operator=(const std::string& text) {
    std::string::operator=(text);
    return *this;
  }
  int line = current_line;
};

}  // namespace tunecheck

namespace boost::property_tree {

template <>
struct translator_between<tunecheck::LinedText, std::string> {
  struct type {
    using internal_type = tunecheck::LinedText;
    using external_type = std::string;
    boost::optional<std::string> get_value(const tunecheck::LinedText& text) const {
      return std::string(text);
    }
    boost::optional<tunecheck::LinedText> put_value(const std::string& text) const {
      tunecheck::LinedText lined;
      lined = text;
      return lined;
    }
  };
};

}  // namespace boost::property_tree

namespace tunecheck {
namespace {

class LineByLine : public std::streambuf {
 public:
  explicit LineByLine(const std::string& text) : m_rest(text) { current_line = 0; }

 protected:
  int_type underflow() override {
    if (m_rest.empty()) return traits_type::eof();
    const std::size_t length = std::min(m_rest.find('\n'), m_rest.size() - 1) + 1;
    m_line = m_rest.substr(0, length);
    m_rest.remove_prefix(length);
    ++current_line;
    setg(m_line.data(), m_line.data(), m_line.data() + m_line.size());
    return traits_type::to_int_type(m_line.front());
  }

 private:
  std::string_view m_rest;
  std::string m_line;
};

using LinedTree = boost::property_tree::basic_ptree<std::string, LinedText>;

// The library destroys a tree by calling itself once per level, which a deep one does not survive.
class DismantledTree {
 public:
  DismantledTree() = default;
  DismantledTree(const DismantledTree&) = delete;
  DismantledTree& operator=(const DismantledTree&) = delete;
  ~DismantledTree() {
    std::vector<LinedTree> trees;
    take_children(tree, trees);
    while (!trees.empty()) {
      LinedTree last;
      last.swap(trees.back());
      trees.pop_back();
      take_children(last, trees);
    }
  }

  LinedTree tree;

 private:
  static void take_children(LinedTree& from, std::vector<LinedTree>& trees) {
    for (auto& [name, child] : from) {
      trees.emplace_back();
      trees.back().swap(child);
    }
  }
};

// The line of the first key in more than `most` braces.
std::optional<int> line_below(const LinedTree& tree, int most) {
  std::vector<std::pair<const LinedTree*, int>> rest = {{&tree, 0}};
  std::optional<int> first;
  while (!rest.empty()) {
    const auto [each, depth] = rest.back();
    rest.pop_back();
    for (const auto& [name, child] : *each)
      if (depth <= most)
        rest.emplace_back(&child, depth + 1);
      else if (!first || child.data().line < *first)
        first = child.data().line;
  }
  return first;
}

InfoNode to_node(const std::string& key, const LinedTree& tree) {
  InfoNode node{key, tree.data(), tree.data().line, {}};
  for (const auto& [name, child] : tree)
    node.children.push_back(to_node(name, child));
  return node;
}

std::optional<int> line_of_directive(const std::string& text) {
  int line = 1;
  bool at_start = true;
  for (const char c : text) {
    if (c == '#' && at_start) return line;
    if (c == '\n') ++line;
    // All that the parser skips at the start of a line.
    at_start =
        c == '\n' || (at_start && std::string_view(" \t\v\f\r").find(c) != std::string::npos);
  }
  return std::nullopt;
}

}  // namespace

const InfoNode* InfoNode::child(std::string_view name) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const InfoNode& node) { return node.key == name; });
  return found == children.end() ? nullptr : &*found;
}

Result<InfoNode> parse_info(const std::string& text, const std::string& file) {
  if (const auto line = line_of_directive(text))
    return failure(Error{ErrorKind::bad_input, "directives are not supported; expected a key", file,
                         *line, "#"});
  if (const auto broken = broken_utf8(text)) {
    const auto before = text.begin() + static_cast<std::ptrdiff_t>(*broken);
    return failure(Error{ErrorKind::bad_input,
                         "expected UTF-8",
                         file,
                         1 + static_cast<int>(std::count(text.begin(), before, '\n')),
                         {}});
  }
  LineByLine lines(text);
  std::istream stream(&lines);
  DismantledTree dismantled;
  LinedTree& tree = dismantled.tree;
  try {
    // read_info() itself would destroy what it has read so far on a mistake.
    boost::property_tree::info_parser::read_info_internal(stream, tree, std::string(), 0);
  } catch (const boost::property_tree::info_parser_error& error) {
    const int line = error.line() > 0 ? static_cast<int>(error.line()) : current_line;
    const bool unclosed = error.message().find("unmatched {") != std::string::npos;
    return failure(Error{ErrorKind::bad_input,
                         unclosed ? "expected a '}' for every '{'; the file ends inside braces"
                                  : "syntax error: " + error.message(),
                         file,
                         unclosed ? current_line : line,
                         {}});
  }
  if (const auto line = line_below(tree, info_depth_limit))
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected at most {} braces around a key", info_depth_limit),
                         file,
                         *line,
                         {}});
  InfoNode root = to_node("", tree);
  root.line = 1;
  return root;
}

Result<InfoNode> read_info_file(const std::filesystem::path& path) {
  TUNECHECK_TRY(const std::string text, read_text_file(path, info_size_limit));
  return parse_info(text, path.string());
}

void InfoErrors::add(int line, std::string key, std::string message) {
  if (m_first && m_first->line <= line) return;
  m_first =
      Error{ErrorKind::bad_input, shortened(message, 1500), m_file, line, shortened(key, 200)};
}

void InfoErrors::forget(int line, const std::string& key) {
  if (m_first && m_first->line == line && m_first->key == shortened(key, 200)) m_first.reset();
}

Result<void> InfoErrors::result() const {
  if (m_first) return failure(*m_first);
  return {};
}

const InfoNode* InfoReader::section(const std::string& key, bool required) {
  m_known.push_back(key);
  const InfoNode* const found = m_node.child(key);
  if (found == nullptr && required) {
    m_missing.push_back(key);
    m_errors.add(m_node.line, key,
                 m_node.key.empty() ? fmt::format("expected \"{}\" in this file", key)
                                    : fmt::format("expected \"{}\" in \"{}\"", key, m_node.key));
  }
  return found;
}

const InfoNode* InfoReader::value_node(const std::string& key, bool required) {
  const InfoNode* const found = section(key, required);
  if (found != nullptr && !found->children.empty()) {
    m_errors.add(*found, "expected a value, found braces");
    return nullptr;
  }
  if (found != nullptr && found->value.empty()) {
    m_errors.add(*found, "expected a value, found none");
    return nullptr;
  }
  return found;
}

std::string InfoReader::text(const std::string& key) {
  const InfoNode* const found = value_node(key, true);
  return found != nullptr ? found->value : std::string();
}

std::string InfoReader::text_or(const std::string& key, std::string otherwise) {
  const InfoNode* const found = value_node(key, false);
  return found != nullptr ? found->value : std::move(otherwise);
}

std::vector<std::string> InfoReader::words_or_none(const std::string& key) {
  const InfoNode* const found = section(key, false);
  if (found != nullptr && !found->children.empty())
    m_errors.add(*found, "expected words, found braces");
  return found != nullptr ? split_words(found->value) : std::vector<std::string>();
}

std::int64_t InfoReader::integer_or(const std::string& key, std::int64_t otherwise) {
  const InfoNode* const found = value_node(key, false);
  if (found == nullptr) return otherwise;
  const auto value = parse_integer(found->value);
  if (!value) m_errors.add(*found, fmt::format("expected an integer, found \"{}\"", found->value));
  return value.value_or(otherwise);
}

double InfoReader::number(const std::string& key) {
  const InfoNode* const found = section(key, true);
  return found != nullptr ? number_or(key, 0) : 0;
}

double InfoReader::number_or(const std::string& key, double otherwise) {
  const InfoNode* const found = value_node(key, false);
  if (found == nullptr) return otherwise;
  const auto value = parse_number(found->value);
  if (!value) m_errors.add(*found, fmt::format("expected a number, found \"{}\"", found->value));
  return value.value_or(otherwise);
}

bool InfoReader::yes_or(const std::string& key, bool otherwise) {
  const InfoNode* const found = value_node(key, false);
  if (found == nullptr) return otherwise;
  if (found->value != "yes" && found->value != "no")
    m_errors.add(*found, fmt::format("expected yes or no, found \"{}\"", found->value));
  return found->value == "yes";
}

void InfoReader::finish() {
  std::sort(m_known.begin(), m_known.end());
  m_known.erase(std::unique(m_known.begin(), m_known.end()), m_known.end());
  std::vector<std::string> seen;
  for (const InfoNode& child : m_node.children) {
    if (!std::binary_search(m_known.begin(), m_known.end(), child.key)) {
      // A misspelt key is missing too; its own line is the one to mend.
      for (const std::string& missing : m_missing)
        m_errors.forget(m_node.line, missing);
      m_errors.add(child, unknown_word_message("key", child.key, m_known));
    } else if (std::find(seen.begin(), seen.end(), child.key) != seen.end())
      m_errors.add(child, "given twice; expected it once");
    seen.push_back(child.key);
  }
}

std::string unknown_word_message(std::string_view what, std::string_view found,
                                 std::span<const std::string> known) {
  std::string message = fmt::format("unknown {} \"{}\"", what, shortened(found, 200));
  if (const auto nearest = nearest_word(found.substr(0, 200), known))
    message += fmt::format("; did you mean \"{}\"?", *nearest);
  else
    message += known.empty() ? "; expected none" : ".";
  if (known.empty()) return message;
  return message + fmt::format(" Expected one of: {}", fmt::join(known, ", "));
}

}  // namespace tunecheck
