#pragma once
// The fields of a document, each once: a list of them writes an object as JSON, reads it back and
// describes it (description.hpp).
//
//   const Fields<LeftOut>& fields_of(Of<LeftOut>) {
//     static const Fields<LeftOut> fields = {
//         "LeftOut",
//         "a scenario that does not run on this kind of device",
//         {{"name", &LeftOut::name}, {"checks", &LeftOut::checks, {.says = "that its calls
//         name"}}}};
//     return fields;
//   }
//
// A field is stored or derived. A stored one is a member, or what a function that returns a
// reference finds: it is written and read. A derived one is computed from the object: it is
// written, and a reader only looks whether it is of its type. The type of the member decides the
// rest: texts, truths, numbers, enums with a list of words (words_of(Of<Enum>)), dates, files,
// lists, dictionaries, and structs with a list of fields of their own. An std::optional is a field
// that is not always there. A map of structs that have a name is a list of them.
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "reports/fields/description.hpp"
#include "reports/fields/json_value.hpp"
#include "result/known_failure.hpp"

namespace tunecheck {

/// Names a type for overloads.
template <class T>
struct Of {};

/// What the type of a field does not say.
struct Rules {
  std::string says{};                  ///< for the schema
  std::vector<std::string> words{};    ///< as TypeDescription has them; a reader takes others
  std::vector<std::int64_t> values{};  ///< likewise
  bool may_be_negative = false;        ///< a whole number
  std::optional<std::int64_t> least{}, most{};  ///< a whole number is at least 0 where none is said
  std::optional<double> null_is{};  ///< a number: not finite is written as null, which is read so
  bool is_rough = false;            ///< as TypeDescription has it
  /// Older minor versions do not have it: then the object keeps what it has.
  bool is_newer = false;
};

template <class Enum>
using Words = std::vector<std::pair<Enum, std::string>>;

template <class T>
class Field;

/// The list of a struct's fields. Made once and never moved: descriptions point at it.
template <class T>
class Fields {
 public:
  Fields(std::string name, std::string says, std::vector<Field<T>> fields);
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  [[nodiscard]] const ObjectDescription& description() const { return m_description; }
  [[nodiscard]] nlohmann::ordered_json write(const T& object) const;
  /// Throws a JsonMistake, and then `object` is half read.
  void read(const JsonValue& json, T& object) const;
  [[nodiscard]] const std::vector<Field<T>>& all() const { return m_fields; }

 private:
  std::vector<Field<T>> m_fields;
  ObjectDescription m_description;
};

template <class T>
concept HasFields = requires {
  fields_of(Of<T>{});
};

template <class T>
concept HasWords = requires {
  words_of(Of<T>{});
};

namespace detail {

template <class V, template <class...> class Template>
inline constexpr bool is_a = false;
template <class... Parameters, template <class...> class Template>
inline constexpr bool is_a<Template<Parameters...>, Template> = true;

template <class V>
inline constexpr bool is_ordered_dictionary = false;
template <class V>
inline constexpr bool is_ordered_dictionary<std::vector<std::pair<std::string, V>>> = true;

template <class V>
concept NamedList = is_a<V, std::map> && HasFields<typename V::mapped_type>;

template <class V>
TypeDescription described(const Rules& rules) {
  using Kind = TypeDescription::Kind;
  TypeDescription type;
  if constexpr (is_a<V, std::optional>) {
    return described<typename V::value_type>(rules);
  } else if constexpr (std::same_as<V, bool>) {
    type.kind = Kind::truth;
  } else if constexpr (std::integral<V>) {
    type.kind = Kind::whole;
    if (!rules.may_be_negative) type.least = 0;
    if (rules.least) type.least = rules.least;
    type.most = rules.most;
    type.values = rules.values;
    type.is_rough = rules.is_rough;
  } else if constexpr (std::floating_point<V>) {
    type.kind = Kind::number;
    type.least = rules.least;
    type.most = rules.most;
    type.may_be_null = rules.null_is.has_value();
    type.is_rough = rules.is_rough;
  } else if constexpr (HasWords<V>) {
    for (const auto& [value, word] : words_of(Of<V>{}))
      type.words.push_back(word);
  } else if constexpr (HasFields<V>) {
    type.kind = Kind::object;
    type.object = &fields_of(Of<V>{}).description();
  } else if constexpr (NamedList<V>) {
    type.kind = Kind::list;
    type.item.push_back(described<typename V::mapped_type>({}));
  } else if constexpr (is_a<V, std::map>) {
    type.kind = Kind::dictionary;
    type.words = rules.words;
    type.item.push_back(described<typename V::mapped_type>(rules));
  } else if constexpr (is_ordered_dictionary<V>) {
    type.kind = Kind::dictionary;
    type.words = rules.words;
    type.item.push_back(described<typename V::value_type::second_type>({}));
  } else if constexpr (is_a<V, std::vector>) {
    type.kind = Kind::list;
    type.item.push_back(described<typename V::value_type>(rules));
  } else {
    type.words = rules.words;
  }
  return type;
}

template <class V>
nlohmann::ordered_json written(const V& value) {
  using Json = nlohmann::ordered_json;
  if constexpr (is_a<V, std::optional>) {
    return written(*value);
  } else if constexpr (std::floating_point<V>) {
    return std::isfinite(value) ? Json(value) : Json();
  } else if constexpr (HasWords<V>) {
    for (const auto& [other, word] : words_of(Of<V>{}))
      if (other == value) return word;
    return "";
  } else if constexpr (HasFields<V>) {
    return fields_of(Of<V>{}).write(value);
  } else if constexpr (std::same_as<V, std::filesystem::path>) {
    return value.string();
  } else if constexpr (std::same_as<V, std::chrono::year_month_day>) {
    return date_text(value);
  } else if constexpr (NamedList<V>) {
    Json list = Json::array();
    for (const auto& [name, item] : value)
      list.push_back(written(item));
    return list;
  } else if constexpr (is_a<V, std::map> || is_ordered_dictionary<V>) {
    Json object = Json::object();
    for (const auto& [name, item] : value)
      object[name] = written(item);
    return object;
  } else if constexpr (is_a<V, std::vector>) {
    Json list = Json::array();
    for (const auto& item : value)
      list.push_back(written(item));
    return list;
  } else {
    return value;
  }
}

template <class V>
void read_value(const JsonValue& json, const Rules& rules, V& value) {
  if constexpr (is_a<V, std::optional>) {
    read_value(json, rules, value.emplace());
  } else if constexpr (std::same_as<V, bool>) {
    value = json.truth();
  } else if constexpr (std::integral<V>) {
    if (rules.may_be_negative)
      value = json.whole<V>();
    else
      value = json.whole<V>(static_cast<V>(rules.least.value_or(0)));
  } else if constexpr (std::floating_point<V>) {
    if (rules.null_is)
      value = json.number_or(*rules.null_is);
    else
      value = rules.least == 0 ? json.amount() : json.number();
  } else if constexpr (HasWords<V>) {
    const auto& words = words_of(Of<V>{});
    std::vector<std::string_view> texts;
    for (const auto& [other, word] : words)
      texts.push_back(word);
    value = words[json.one_of(texts)].first;
  } else if constexpr (HasFields<V>) {
    fields_of(Of<V>{}).read(json, value);
  } else if constexpr (std::same_as<V, std::chrono::year_month_day>) {
    const std::string text = json.text();
    const auto date = parse_date(text);
    if (!date)
      throw JsonMistake{json.pointer(),
                        "expected a date such as 2027-03-31, found \"" + text + "\""};
    value = *date;
  } else if constexpr (NamedList<V>) {
    for (const JsonValue& item : json.items()) {
      typename V::mapped_type read;
      read_value(item, {}, read);
      std::string name = read.name;
      value.emplace(std::move(name), std::move(read));
    }
  } else if constexpr (is_a<V, std::map>) {
    for (const std::string& name : json.names())
      read_value(json.field(name), rules, value[name]);
  } else if constexpr (is_ordered_dictionary<V>) {
    for (const std::string& name : json.names())
      read_value(json.field(name), rules,
                 value.emplace_back(name, typename V::value_type::second_type{}).second);
  } else if constexpr (is_a<V, std::vector>) {
    for (const JsonValue& item : json.items())
      read_value(item, rules, value.emplace_back());
  } else {
    value = json.text();
  }
}

/// Throws a JsonMistake where read_value() would.
template <class V>
void check_value(const JsonValue& json, const Rules& rules) {
  if constexpr (std::same_as<V, std::string_view>) {
    (void)json.text();
  } else {
    V value{};
    read_value(json, rules, value);
  }
}

}  // namespace detail

/// One field of T.
template <class T>
class Field {
 public:
  /// `access` is a pointer to a member, or takes a T and returns a reference into it (stored), or a
  /// value (derived).
  template <class Access>
  Field(std::string name, Access access, Rules rules = {}) {
    using Found = std::invoke_result_t<const Access&, T&>;
    using Value = std::remove_cvref_t<Found>;
    description = {std::move(name), rules.says, detail::described<Value>(rules),
                   !detail::is_a<Value, std::optional>,
                   !detail::is_a<Value, std::optional> && !rules.is_newer};
    write = [access, name = description.name](const T& object, nlohmann::ordered_json& json) {
      const auto& value = std::invoke(access, object);
      if constexpr (detail::is_a<Value, std::optional>)
        if (!value) return;
      json[name] = detail::written(value);
    };
    if constexpr (std::is_lvalue_reference_v<Found> &&
                  !std::is_const_v<std::remove_reference_t<Found>>)
      read = [access, rules = std::move(rules), name = description.name](const JsonValue& json,
                                                                         T& object) {
        const JsonValue value = json.field(name);
        constexpr bool may_be_missing = detail::is_a<Value, std::optional>;
        if ((may_be_missing || rules.is_newer) && !value.exists()) return;
        detail::read_value(value, rules, std::invoke(access, object));
      };
    else
      read = [rules = std::move(rules), name = description.name](const JsonValue& json, T&) {
        if (const JsonValue value = json.field(name); value.exists())
          detail::check_value<Value>(value, rules);
      };
  }

  /// A field of a part, which is written as if it were one of the whole.
  template <class Part>
  Field(const Field<Part>& of_part, Part T::*part)
      : description(of_part.description),
        write([write = of_part.write, part](const T& object, nlohmann::ordered_json& json) {
          write(object.*part, json);
        }) {
    read = [read = of_part.read, part](const JsonValue& json, T& object) {
      read(json, object.*part);
    };
  }

  FieldDescription description;
  std::function<void(const T& object, nlohmann::ordered_json& json)> write;
  std::function<void(const JsonValue& json, T& object)> read;
};

template <class T>
Fields<T>::Fields(std::string name, std::string says, std::vector<Field<T>> fields)
    : m_fields(std::move(fields)), m_description{std::move(name), std::move(says), {}} {
  for (const Field<T>& field : m_fields)
    m_description.fields.push_back(field.description);
}

template <class T>
nlohmann::ordered_json Fields<T>::write(const T& object) const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Field<T>& field : m_fields)
    field.write(object, json);
  return json;
}

template <class T>
void Fields<T>::read(const JsonValue& json, T& object) const {
  (void)json.names();  // an object, whatever is in it
  for (const Field<T>& field : m_fields)
    field.read(json, object);
}

/// The field by which a file says how it is to be read: "schema" with this version and no other.
template <class T>
[[nodiscard]] Field<T> schema_field(std::string_view version) {
  return {"schema",
          [version](const T&) { return std::string(version); },
          {.words = {std::string(version)}}};
}

/// One list of several.
template <class T, std::same_as<std::vector<Field<T>>>... Lists>
[[nodiscard]] std::vector<Field<T>> joined(std::vector<Field<T>> fields, const Lists&... more) {
  (fields.insert(fields.end(), more.begin(), more.end()), ...);
  return fields;
}

/// The fields of a part, which are written as if they were those of the whole.
template <class T, class Part>
[[nodiscard]] std::vector<Field<T>> fields_of_part(Part T::*part) {
  std::vector<Field<T>> fields;
  for (const Field<Part>& field : fields_of(Of<Part>{}).all())
    fields.emplace_back(field, part);
  return fields;
}

/// A document as JSON, with its fields in the order of the list.
template <HasFields T>
[[nodiscard]] nlohmann::ordered_json json_of(const T& document) {
  return fields_of(Of<T>{}).write(document);
}

/// Throws a JsonMistake.
template <HasFields T>
[[nodiscard]] T read_as(const JsonValue& json, T document = {}) {
  fields_of(Of<T>{}).read(json, document);
  return document;
}

}  // namespace tunecheck
