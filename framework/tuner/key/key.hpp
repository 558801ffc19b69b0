#pragma once
// The key of a winner: what it may be reused for, as named values that are compared whole.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck {

/// One axis with its value in one situation.
struct KeyValue {
  std::string axis;
  /// Nothing where this machine cannot tell: such an axis agrees with every value.
  std::optional<std::string> value;
  /// True for an axis that a machine may be unable to tell (the toolchain where there is none).
  bool may_be_unknown = false;
};

/// The version of the cache format. It is an axis: a version with another format neither finds
/// these entries nor writes over them.
inline constexpr int cache_format = 2;

/// The version of what decides which config wins: how configs are compiled, tried, measured,
/// validated and chosen. It is an axis: a winner that was found by other rules may be none any
/// more. A release that changes none of this keeps the number, and with it all winners. A test
/// fails if sources that decide have changed and nobody has asked whether the number must.
inline constexpr int decisions_version = 1;

/// An immutable set of axes with their values, sorted by the axis' name, so that the order in which
/// they were collected means nothing. Copies may be used by any thread.
class Key {
 public:
  Key() = default;
  explicit Key(std::vector<KeyValue> values);

  [[nodiscard]] const std::vector<KeyValue>& values() const { return m_values; }
  [[nodiscard]] const std::string* find(std::string_view axis) const;

  /// All of it as one text; two keys have the same text only if all axes and values are the same.
  /// Lengths precede the values, so that {"a", "bc"} and {"ab", "c"} differ (CubeCL).
  [[nodiscard]] const std::string& text() const { return m_text; }

  /// 32 hex digits of all axes that every machine can tell: the folder of the entry.
  [[nodiscard]] const std::string& folder_digest() const { return m_folder_digest; }
  /// 32 hex digits of the axes that a machine may be unable to tell, or nothing where this one is.
  [[nodiscard]] const std::optional<std::string>& file_digest() const { return m_file_digest; }

  /// The axes, sorted, in which a stored key differs from this one: another value, or an axis that
  /// only one of them has. An axis unknown here never differs.
  [[nodiscard]] std::vector<std::string> differing_axes(const Key& stored) const;
  [[nodiscard]] bool agrees_with(const Key& stored) const { return differing_axes(stored).empty(); }

 private:
  std::vector<KeyValue> m_values;
  std::string m_text;
  std::string m_folder_digest;
  std::optional<std::string> m_file_digest;
};

/// "strides: \"n,1\" now, \"1\" in the nearest entry" for each differing axis, values shortened.
[[nodiscard]] std::string explain_difference(const Key& wanted, const Key& stored);

}  // namespace tunecheck
