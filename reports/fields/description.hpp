#pragma once
// What the fields of a document are, without the types that they are read into: the JSON schema,
// the page's TypeScript types and the page's packed data are made from this.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tunecheck {

struct ObjectDescription;

struct TypeDescription {
  enum class Kind { text, truth, whole, number, list, dictionary, object };
  Kind kind = Kind::text;
  /// The only values that a text may have; the names that a dictionary has, and no others.
  std::vector<std::string> words{};
  std::vector<std::int64_t> values{};           ///< of a whole number: the only ones
  std::optional<std::int64_t> least{}, most{};  ///< of numbers
  bool is_rough = false;                        ///< a time in ns that is only drawn: four digits do
  bool may_be_null = false;                     ///< a number that need not be finite
  std::vector<TypeDescription> item{};          ///< of a list or dictionary: one
  const ObjectDescription* object = nullptr;    ///< of an object; lives as long as the program
};

struct FieldDescription {
  std::string name;
  std::string says;  ///< what the type does not say; "" where the name is enough
  TypeDescription type;
  bool is_always_there = true;  ///< in what this version writes
  bool is_required = true;      ///< also in every older file of the same major version
};

struct ObjectDescription {
  std::string name;  ///< of the type: "Scenario"
  std::string says;
  std::vector<FieldDescription> fields;  ///< in the order in which they are written
};

}  // namespace tunecheck
