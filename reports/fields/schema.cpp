#include "reports/fields/schema.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;
using Kind = TypeDescription::Kind;

// Makes one schema. An object that a field names becomes a definition when it is met first;
// definitions() has them all after the last field.
class SchemaWriter {
 public:
  Json object(const ObjectDescription& described) {
    Json json = {{"type", "object"}, {"additionalProperties", false}, {"required", Json::array()}};
    Json properties = Json::object();
    for (const FieldDescription& field : described.fields) {
      if (field.is_required) json["required"].push_back(field.name);
      Json property = type(field.type);
      if (!field.says.empty()) property["description"] = field.says;
      properties[field.name] = std::move(property);
    }
    json["properties"] = std::move(properties);
    return json;
  }

  const Json& definitions() const { return m_definitions; }

 private:
  Json type(const TypeDescription& described) {
    switch (described.kind) {
      case Kind::text:
        if (described.words.size() == 1) return {{"const", described.words.front()}};
        if (!described.words.empty()) return {{"enum", described.words}};
        return {{"type", "string"}};
      case Kind::truth:
        return {{"type", "boolean"}};
      case Kind::whole:
        if (!described.values.empty()) return {{"enum", described.values}};
        return limited(described, {{"type", "integer"}});
      case Kind::number:
        if (described.may_be_null) return {{"type", {"number", "null"}}};
        return limited(described, {{"type", "number"}});
      case Kind::list:
        return {{"type", "array"}, {"items", type(described.item.front())}};
      case Kind::dictionary:
        return dictionary(described);
      case Kind::object:
        return reference(*described.object);
    }
    return {};
  }

  static Json limited(const TypeDescription& described, Json json) {
    if (described.least) json["minimum"] = *described.least;
    if (described.most) json["maximum"] = *described.most;
    return json;
  }

  Json dictionary(const TypeDescription& described) {
    const TypeDescription& item = described.item.front();
    if (described.words.empty()) return {{"type", "object"}, {"additionalProperties", type(item)}};
    Json properties = Json::object();
    for (const std::string& name : described.words)
      properties[name] = type(item);
    return {{"type", "object"},
            {"additionalProperties", false},
            {"required", described.words},
            {"properties", std::move(properties)}};
  }

  Json reference(const ObjectDescription& described) {
    if (!m_definitions.contains(described.name)) {
      m_definitions[described.name] = nullptr;  // its place, before those that it names
      Json json = object(described);
      if (!described.says.empty()) json["description"] = described.says;
      m_definitions[described.name] = std::move(json);
    }
    return {{"$ref", "#/$defs/" + described.name}};
  }

  Json m_definitions = Json::object();
};

}  // namespace

Json schema_of(const ObjectDescription& document, const std::string& file,
               const std::string& title) {
  SchemaWriter writer;
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", file}, {"title", title}};
  if (!document.says.empty()) schema["description"] = document.says;
  schema.update(writer.object(document));
  schema["$defs"] = writer.definitions();
  return schema;
}

}  // namespace tunecheck
