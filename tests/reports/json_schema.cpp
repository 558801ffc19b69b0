#include "json_schema.hpp"

#include <algorithm>
#include <fstream>
#include <set>

namespace tunecheck::test {
namespace {

using Json = nlohmann::json;

class Validator {
 public:
  explicit Validator(Json root) : m_root(std::move(root)) {}

  void check(const Json& value, const Json& schema, const std::string& path) {
    static const std::set<std::string> known = {
        "$schema", "$id",  "$defs",      "$ref",     "title",   "description",          "type",
        "const",   "enum", "properties", "required", "minimum", "additionalProperties", "maximum",
        "items"};
    for (const auto& [keyword, unused] : schema.items())
      if (!known.contains(keyword)) complain(path, "unknown keyword " + keyword);
    if (schema.contains("$ref")) follow(value, schema["$ref"], path);
    if (schema.contains("type") && !has_one_type(value, schema["type"]))
      return complain(path, "is no " + named(schema["type"]));
    if (schema.contains("const") && value != schema["const"]) complain(path, "has another value");
    if (schema.contains("enum") &&
        schema["enum"].end() == std::find(schema["enum"].begin(), schema["enum"].end(), value))
      complain(path, "is not one of the enumeration");
    if (schema.contains("minimum") && value < schema["minimum"]) complain(path, "is too small");
    if (schema.contains("maximum") && value > schema["maximum"]) complain(path, "is too large");
    if (value.is_object()) check_object(value, schema, path);
    if (value.is_array() && schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        check(value[i], schema["items"], path + "/" + std::to_string(i));
  }

  std::vector<std::string> complaints;

 private:
  void complain(const std::string& path, const std::string& text) {
    complaints.push_back(path + ": " + text);
  }

  void follow(const Json& value, const std::string& reference, const std::string& path) {
    if (reference[0] == '#')
      return check(value, m_root.at(Json::json_pointer(reference.substr(1))), path);
    Validator other(read_schema(reference));
    other.check(value, other.m_root, path);
    complaints.insert(complaints.end(), other.complaints.begin(), other.complaints.end());
  }

  static std::string named(const Json& types) {
    return types.is_string() ? types.get<std::string>() : types.dump();
  }

  // `types` is one name, or several.
  static bool has_one_type(const Json& value, const Json& types) {
    if (types.is_string()) return has_type(value, types);
    return std::any_of(types.begin(), types.end(),
                       [&](const Json& type) { return has_type(value, type); });
  }

  static bool has_type(const Json& value, const std::string& type) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "null"    ? value.is_null()
                               : false;
  }

  void check_object(const Json& value, const Json& schema, const std::string& path) {
    const Json properties = schema.value("properties", Json::object());
    for (const Json& name : schema.value("required", Json::array()))
      if (!value.contains(name)) complain(path, "lacks " + name.get<std::string>());
    for (const auto& [name, member] : value.items()) {
      const std::string member_path = path + "/" + name;
      if (properties.contains(name))
        check(member, properties[name], member_path);
      else if (const Json other = schema.value("additionalProperties", Json()); other.is_object())
        check(member, other, member_path);
      else if (other == false)
        complain(member_path, "is not in the schema");
    }
  }

  Json m_root;
};

}  // namespace

Json read_schema(const std::string& name) {
  std::ifstream file(std::string(TUNECHECK_SCHEMAS) + "/" + name);
  return Json::parse(file);
}

std::vector<std::string> violations(const Json& document, const std::string& schema_name) {
  const Json schema = read_schema(schema_name);
  Validator validator(schema);
  validator.check(document, schema, "");
  return validator.complaints;
}

}  // namespace tunecheck::test
