#include "tuner/key/key.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/digest.hpp"

namespace tunecheck {
namespace {

void append(std::string& text, const KeyValue& value) {
  text += fmt::format("{}:{}", value.axis.size(), value.axis);
  text += value.value ? fmt::format("={}:{};", value.value->size(), *value.value) : "?;";
}

std::string shortened(const std::string& value) {
  constexpr std::size_t shown = 60;
  if (value.size() <= shown) return fmt::format("\"{}\"", value);
  return fmt::format("\"{}...\" ({} characters)", value.substr(0, shown), value.size());
}

// Two long values that begin alike would look the same shortened: skip what they share.
std::pair<std::string, std::string> without_common_start(const std::string& a,
                                                         const std::string& b) {
  constexpr std::size_t kept = 20;
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto common = static_cast<std::size_t>(x - a.begin());
  if (common <= 2 * kept) return {a, b};
  const std::size_t skipped = common - kept;
  return {"..." + a.substr(skipped), "..." + b.substr(skipped)};
}

// Null where the axis is not part of that key.
std::string what_changed(const std::string* now, const std::string* then) {
  if (now == nullptr) return "not part of the key any more";
  if (then == nullptr) return "not part of the nearest entry's key";
  const auto [new_text, old_text] = without_common_start(*now, *then);
  return fmt::format("{} now, {} in the nearest entry", shortened(new_text), shortened(old_text));
}

}  // namespace

Key::Key(std::vector<KeyValue> values) : m_values(std::move(values)) {
  std::sort(m_values.begin(), m_values.end(),
            [](const KeyValue& a, const KeyValue& b) { return a.axis < b.axis; });
  std::string folder_text;
  std::string file_text;
  bool unknown = false;
  for (const KeyValue& value : m_values) {
    append(m_text, value);
    append(value.may_be_unknown ? file_text : folder_text, value);
    unknown = unknown || (value.may_be_unknown && !value.value);
  }
  m_folder_digest = key_digest(folder_text);
  if (!unknown) m_file_digest = key_digest(file_text);
}

const std::string* Key::find(std::string_view axis) const {
  for (const KeyValue& value : m_values)
    if (value.axis == axis) return value.value ? &*value.value : nullptr;
  return nullptr;
}

std::vector<std::string> Key::differing_axes(const Key& stored) const {
  std::vector<std::string> axes;
  auto mine = m_values.begin();
  auto theirs = stored.m_values.begin();
  while (mine != m_values.end() || theirs != stored.m_values.end()) {
    if (theirs == stored.m_values.end() || (mine != m_values.end() && mine->axis < theirs->axis)) {
      axes.push_back((mine++)->axis);
    } else if (mine == m_values.end() || theirs->axis < mine->axis) {
      axes.push_back((theirs++)->axis);
    } else {
      const bool unknown_here = mine->may_be_unknown && !mine->value;
      if (!unknown_here && mine->value != theirs->value) axes.push_back(mine->axis);
      ++mine;
      ++theirs;
    }
  }
  return axes;
}

std::string explain_difference(const Key& wanted, const Key& stored) {
  std::string text;
  for (const std::string& axis : wanted.differing_axes(stored)) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{}: {}", axis, what_changed(wanted.find(axis), stored.find(axis)));
  }
  return text;
}

}  // namespace tunecheck
