#include "reports/fields/typescript.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tunecheck {
namespace {

using Kind = TypeDescription::Kind;

std::string interface_type(const TypeDescription& type) {
  switch (type.kind) {
    case Kind::text: {
      std::vector<std::string> words;
      for (const std::string& word : type.words)
        words.push_back(fmt::format("\"{}\"", word));
      return words.size() < 2 ? "string" : fmt::to_string(fmt::join(words, " | "));
    }
    case Kind::truth:
      return "boolean";
    case Kind::whole:
      return "number";
    case Kind::number:
      return type.may_be_null ? "number | null" : "number";
    case Kind::list: {
      const std::string item = interface_type(type.item.front());
      return item.find(' ') == item.npos ? item + "[]" : fmt::format("({})[]", item);
    }
    case Kind::dictionary:
      return fmt::format("Record<string, {}>", interface_type(type.item.front()));
    case Kind::object:
      return type.object->name;
  }
  return {};
}

std::string layout(const TypeDescription& type) {
  switch (type.kind) {
    case Kind::text:
      return "\"text\"";
    case Kind::truth:
      return "\"truth\"";
    case Kind::whole:
    case Kind::number:
      return type.is_rough ? "\"rough\"" : "\"number\"";
    case Kind::list:
      return fmt::format("{{ list: {} }}", layout(type.item.front()));
    case Kind::dictionary:
      return fmt::format("{{ names: {} }}", layout(type.item.front()));
    case Kind::object:
      return fmt::format("{{ object: \"{}\" }}", type.object->name);
  }
  return {};
}

// Before those that name it, each once.
void gather(const ObjectDescription& object, std::vector<const ObjectDescription*>& all);
void gather(const TypeDescription& type, std::vector<const ObjectDescription*>& all) {
  for (const TypeDescription& item : type.item)
    gather(item, all);
  if (type.object != nullptr) gather(*type.object, all);
}
void gather(const ObjectDescription& object, std::vector<const ObjectDescription*>& all) {
  for (const FieldDescription& field : object.fields)
    gather(field.type, all);
  if (std::find(all.begin(), all.end(), &object) == all.end()) all.push_back(&object);
}

void write_interface(const ObjectDescription& object, std::string& text) {
  if (!object.says.empty()) text += fmt::format("/** {} */\n", object.says);
  text += fmt::format("export interface {} {{\n", object.name);
  for (const FieldDescription& field : object.fields) {
    if (!field.says.empty()) text += fmt::format("  /** {} */\n", field.says);
    text += fmt::format("  {}{}: {};\n", field.name, field.is_always_there ? "" : "?",
                        interface_type(field.type));
  }
  text += "}\n\n";
}

}  // namespace

std::string typescript_of(const std::vector<const ObjectDescription*>& objects) {
  std::vector<const ObjectDescription*> all;
  for (const ObjectDescription* const object : objects)
    gather(*object, all);
  std::string text =
      "// Made by tunecheck-fields from the lists in reports/fields: what files of tunecheck "
      "hold.\n\n";
  for (const ObjectDescription* const object : all)
    write_interface(*object, text);
  text +=
      "/** How a value is packed: a text is a place in a list of texts, a rough time is in "
      "microseconds, an object the list of its fields. */\n"
      "export type Layout = \"text\" | \"truth\" | \"number\" | \"rough\" | { list: Layout } | { "
      "names: Layout "
      "} | { maybe: Layout } | { object: keyof Layouts };\n"
      "export interface Layouts {\n";
  for (const ObjectDescription* const object : all)
    text += fmt::format("  {0}: [keyof {0}, Layout][];\n", object->name);
  text += "}\n/** By their names. */\nexport interface Objects {\n";
  for (const ObjectDescription* const object : all)
    text += fmt::format("  {0}: {0};\n", object->name);
  text += "}\n\nexport const layouts: Layouts = {\n";
  for (const ObjectDescription* const object : all) {
    std::vector<std::string> fields;
    for (const FieldDescription& field : object->fields) {
      const std::string value = layout(field.type);
      fields.push_back(
          fmt::format("[\"{}\", {}]", field.name,
                      field.is_always_there ? value : fmt::format("{{ maybe: {} }}", value)));
    }
    text += fmt::format("  {}: [{}],\n", object->name, fmt::join(fields, ", "));
  }
  return text + "};\n";
}

}  // namespace tunecheck
