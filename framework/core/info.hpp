#pragma once
// INFO files (Boost.PropertyTree) with the line of every key, read by typed accessors that refuse
// what they do not know.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// One key of an INFO file with its value ("" if it has none) and the keys in its braces, in order.
struct InfoNode {
  std::string key;
  std::string value;
  int line = 0;  ///< from 1
  std::vector<InfoNode> children;

  [[nodiscard]] const InfoNode* child(std::string_view name) const;
};

/// More of either is an error, whatever a file holds.
inline constexpr int info_depth_limit = 100;                ///< braces around a key
inline constexpr std::uint64_t info_size_limit = 16 << 20;  ///< bytes of a file

/// Parses `text`; the result is a nameless root whose children are the file's top-level keys.
/// `file` appears in errors. Directives (#include) are refused: a file says all it has to say
/// itself.
[[nodiscard]] Result<InfoNode> parse_info(const std::string& text, const std::string& file);
[[nodiscard]] Result<InfoNode> read_info_file(const std::filesystem::path& path);

/// Collects the first error of one file, so that a reader can go on and be asked once at its end.
class InfoErrors {
 public:
  explicit InfoErrors(std::string file) : m_file(std::move(file)) {}

  /// Keeps the error with the smallest line.
  void add(int line, std::string key, std::string message);
  void add(const InfoNode& node, std::string message) {
    add(node.line, node.key, std::move(message));
  }
  /// Takes an error back that a better one is going to explain.
  void forget(int line, const std::string& key);
  [[nodiscard]] bool any() const { return m_first.has_value(); }
  [[nodiscard]] const std::string& file() const { return m_file; }
  /// The first error, or success.
  [[nodiscard]] Result<void> result() const;

 private:
  std::string m_file;
  std::optional<Error> m_first;
};

/// Reads the children of one node by name. Every accessor reports a missing or malformed value to
/// the InfoErrors and returns a default, so that reading code stays straight. finish() refuses keys
/// that no accessor asked for and keys given twice.
class InfoReader {
 public:
  /// Both must outlive the reader.
  InfoReader(const InfoNode& node, InfoErrors& errors) : m_node(node), m_errors(errors) {}

  [[nodiscard]] const InfoNode& node() const { return m_node; }
  [[nodiscard]] InfoErrors& errors() const { return m_errors; }

  /// The child, or null; null is an error where `required`.
  const InfoNode* section(const std::string& key, bool required);

  std::string text(const std::string& key);
  std::string text_or(const std::string& key, std::string otherwise);
  std::vector<std::string> words_or_none(const std::string& key);
  std::int64_t integer_or(const std::string& key, std::int64_t otherwise);
  double number(const std::string& key);
  double number_or(const std::string& key, double otherwise);
  bool yes_or(const std::string& key, bool otherwise);  ///< "yes" or "no"

  void finish();

 private:
  const InfoNode* value_node(const std::string& key, bool required);

  const InfoNode& m_node;
  InfoErrors& m_errors;
  std::vector<std::string> m_known;
  std::vector<std::string> m_missing;
};

/// "expected one of a, b or c; found \"x\"", with the nearest name where it looks like a slip.
[[nodiscard]] std::string unknown_word_message(std::string_view what, std::string_view found,
                                               std::span<const std::string> known);

}  // namespace tunecheck
