#include "harness/process/adapter_exchange.hpp"

#include "harness/process/adapter_variables.hpp"

namespace tunecheck {
namespace {

using Variables = std::map<std::string, std::string>;

void read_variables_of(InfoReader& reader, const char* key, const AdapterInfo& info,
                       Variables& variables) {
  const InfoNode* const node = reader.section(key, true);
  if (node == nullptr) return;
  bool names_place = false;
  for (const InfoNode& variable : node->children) {
    read_own_variable(variable, info, reader.errors(), variables);
    names_place = names_place || variable.value.find("PLACE") != std::string::npos;
  }
  if (!names_place)
    reader.errors().add(*node, "expected variables in braces, one of which has PLACE in its value");
}

void check_section(InfoReader& reader, const AdapterInfo& info, const char* name) {
  const InfoNode* const node = reader.node().child(name);
  if (info.has(name) == (node != nullptr)) return;
  const InfoNode* const capabilities = reader.node().child("capabilities");
  reader.errors().add(node != nullptr           ? *node
                      : capabilities != nullptr ? *capabilities
                                                : reader.node(),
                      node != nullptr
                          ? fmt::format("expected the capability \"{}\" beside it", name)
                          : fmt::format("{} expects the section {} to say how", name, name));
}

}  // namespace

void read_exchange_variables(InfoReader& reader, AdapterInfo& info) {
  if (const InfoNode* const node = reader.section("table", false)) {
    InfoReader table(*node, reader.errors());
    read_variables_of(table, "write", info, info.table.write);
    read_variables_of(table, "read", info, info.table.read);
    table.finish();
  }
  if (const InfoNode* const node = reader.section("bundle", false)) {
    InfoReader bundle(*node, reader.errors());
    read_variables_of(bundle, "variables", info, info.bundle.variables);
    info.bundle.key_variable = read_own_name(bundle, "key_variable", info);
    bundle.finish();
    if (info.has("bundle_key") == info.bundle.key_variable.empty())
      reader.errors().add(*node,
                          "expected the capability \"bundle_key\" and key_variable together");
  }
  check_section(reader, info, "table");
  check_section(reader, info, "bundle");
}

}  // namespace tunecheck
