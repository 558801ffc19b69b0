#pragma once
// A value of a JSON file with its place in it, so that what is not as it should be can be named.
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tunecheck {

/// What is not as the schema says. Leaves a reader as an Error only.
struct JsonMistake {
  std::string pointer;  ///< RFC 6901, "/scenarios/3/verdict"
  std::string message;
};

/// Does not own the value, which must outlive it. Everything that reads throws a JsonMistake where
/// the value is of another type than asked for.
class JsonValue {
 public:
  JsonValue(const nlohmann::json& json, std::string pointer)
      : m_json(json), m_pointer(std::move(pointer)) {}

  [[nodiscard]] const std::string& pointer() const { return m_pointer; }
  /// A value that does not exist where the object has no such field.
  [[nodiscard]] JsonValue field(const std::string& name) const;
  [[nodiscard]] bool exists() const { return !m_json.is_null(); }
  /// The names of all fields of an object.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Of a list.
  [[nodiscard]] std::vector<JsonValue> items() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] double number() const;
  /// null is `otherwise`: JSON has no infinity. A field that is missing is a mistake.
  [[nodiscard]] double number_or(double otherwise) const;
  /// At least 0.
  [[nodiscard]] double amount() const;
  template <std::integral Integer>
  [[nodiscard]] Integer whole(Integer least = std::numeric_limits<Integer>::min()) const {
    constexpr Integer most = std::numeric_limits<Integer>::max();
    if (!m_json.is_number_integer()) wrong("a whole number");
    if (m_json.is_number_unsigned()) {
      const auto value = m_json.get<std::uint64_t>();
      if (std::cmp_greater_equal(value, least) && std::cmp_less_equal(value, most))
        return static_cast<Integer>(value);
    } else {
      const auto value = m_json.get<std::int64_t>();
      if (std::cmp_greater_equal(value, least) && std::cmp_less_equal(value, most))
        return static_cast<Integer>(value);
    }
    throw JsonMistake{m_pointer, fmt::format("expected a whole number from {} to {}, found {}",
                                             least, most, m_json.dump())};
  }
  /// The place of the text among these words, two at least.
  [[nodiscard]] std::size_t one_of(std::span<const std::string_view> words) const;

 private:
  [[noreturn]] void wrong(const std::string& expected) const;

  const nlohmann::json& m_json;
  std::string m_pointer;
};

}  // namespace tunecheck
