#include "harness/process/adapter_variables.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"

namespace tunecheck {
namespace {

// Where it is set, observers are found, or what they read. Without it nothing is seen.
bool is_of_observers(const std::string& variable) {
  constexpr std::array<std::string_view, 5> names = {"LD_PRELOAD", "LD_AUDIT", "VK_INSTANCE_LAYERS",
                                                     "VK_ADD_LAYER_PATH", "CUDA_INJECTION64_PATH"};
  return std::find(names.begin(), names.end(), variable) != names.end() ||
         variable.starts_with("TUNECHECK_PROBE_") || variable.starts_with("TUNECHECK_FAULT_") ||
         variable.starts_with("TUNECHECK_VULKAN_");
}

// Where it is set, programs and libraries are found, or observers.
bool is_of_the_judge(const std::string& variable) {
  return variable == "PATH" || variable.starts_with("LD_") || is_of_observers(variable);
}

// Where it is set, the tuner finds its cache folder or its compiler.
bool names_a_place(const std::string& variable, const AdapterInfo& info) {
  if (variable.empty()) return false;  // as those are that an adapter does not name
  const auto& runtimes = info.runtime_compiler_variables;
  return variable == info.cache_variable || variable == info.compiler_variable ||
         std::any_of(runtimes.begin(), runtimes.end(),
                     [&](const auto& runtime) { return runtime.second == variable; });
}

// Where it is set, the tuner finds its folders or its compiler.
bool is_of_the_process(const std::string& variable, const AdapterInfo& info) {
  constexpr std::array<std::string_view, 5> folders = {"HOME", "TMPDIR", "XDG_CACHE_HOME",
                                                       "CUDA_CACHE_PATH", "MESA_SHADER_CACHE_DIR"};
  return names_a_place(variable, info) ||
         std::find(folders.begin(), folders.end(), variable) != folders.end();
}

bool is_variable_name(const std::string& name) {
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

// Scenarios name processes after variables, in lower case: two that differ in nothing else are one.
void check_name(const InfoNode& node, const AdapterInfo& info, InfoErrors& errors) {
  const std::string name = upper_case(node.key);
  const auto allowed = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty() || (name[0] >= '0' && name[0] <= '9') ||
      !std::all_of(name.begin(), name.end(), allowed))
    errors.add(node, "expected a name of letters, digits and \"_\"");
  for (const auto* const variables : {&info.keyed_variables, &info.free_variables})
    for (const PromisedVariable& other : *variables)
      if (upper_case(other.name) == name) errors.add(node, "given twice; expected it once");
}

PromisedVariable read_variable(const InfoNode& node, const AdapterInfo& info, InfoErrors& errors) {
  PromisedVariable variable{node.key, {}, {}};
  InfoReader reader(node, errors);
  for (const auto& [key, value] : {std::pair("from", &variable.from), {"to", &variable.to}})
    if (const InfoNode* const found = reader.section(key, false)) {
      *value = found->value;
      if (!found->children.empty()) errors.add(*found, "expected a value, found braces");
      // Loops would take it for one of their own words.
      if (found->value.find('$') != std::string::npos)
        errors.add(*found, "expected a value without \"$\"");
    }
  variable.backends = read_backends(reader);
  reader.finish();
  check_name(node, info, errors);
  if (is_of_the_judge(node.key) || is_of_the_process(node.key, info))
    errors.add(node, fmt::format("{} belongs to the judge; expected a variable of the tuner's own",
                                 node.key));
  const auto value_of = [&](const std::optional<std::string>& given) -> std::optional<std::string> {
    const auto own = info.environment.find(node.key);
    return given || own == info.environment.end() ? given : own->second;
  };
  if (variable.from == variable.to)
    errors.add(node,
               "expected two different values, { from A  to B }; one that is not given is "
               "not set");
  else if (value_of(variable.from) == value_of(variable.to))
    errors.add(node, fmt::format("expected another value than \"{}\", which `environment` gives it "
                                 "where none is given",
                                 info.environment.at(node.key)));
  return variable;
}

std::string not_a_name(const std::string& found) {
  return fmt::format("expected a name of letters, digits and \"_\", found \"{}\"", found);
}

// Keeps a variable and its value.
void add_variable(const InfoNode& node, InfoErrors& errors,
                  std::map<std::string, std::string>& variables) {
  if (!is_variable_name(node.key) || !node.children.empty())
    errors.add(node, "expected a variable of the environment and its value");
  else if (!variables.emplace(node.key, node.value).second)
    errors.add(node, fmt::format("{} is given twice; expected it once", node.key));
}

}  // namespace

std::vector<DeviceKind> read_backends(InfoReader& reader) {
  std::vector<DeviceKind> backends;
  for (const std::string& name : reader.words_or_none("backends"))
    if (const auto backend = parse_device_kind(name))
      backends.push_back(*backend);
    else
      reader.errors().add(*reader.node().child("backends"), backend.error().message);
  return backends;
}

void read_own_variable(const InfoNode& node, const AdapterInfo& info, InfoErrors& errors,
                       std::map<std::string, std::string>& variables) {
  if (is_of_the_judge(node.key) || is_of_the_process(node.key, info))
    errors.add(node,
               fmt::format("{} belongs to the judge; expected the tuner's own variable", node.key));
  else
    add_variable(node, errors, variables);
}

std::string read_own_name(InfoReader& reader, const std::string& key, const AdapterInfo& info) {
  std::string name = reader.text_or(key, "");
  if (name.empty()) return name;
  const InfoNode& node = *reader.node().child(key);
  if (is_of_the_judge(name) || is_of_the_process(name, info))
    reader.errors().add(
        node, fmt::format("{} belongs to the judge; expected the tuner's own variable", name));
  else if (!is_variable_name(name))
    reader.errors().add(node, not_a_name(name));
  return name;
}

void read_environment(InfoReader& reader, AdapterInfo& info) {
  const InfoNode* const node = reader.section("environment", false);
  if (node == nullptr) return;
  for (const InfoNode& variable : node->children)
    if (is_of_observers(variable.key) || names_a_place(variable.key, info))
      reader.errors().add(
          variable,
          fmt::format("{} belongs to the judge; expected another variable", variable.key));
    else
      add_variable(variable, reader.errors(), info.environment);
}

void read_promised_variables(InfoReader& reader, AdapterInfo& info) {
  const InfoNode* const node = reader.section("variables", false);
  if (node == nullptr) return;
  InfoReader kinds(*node, reader.errors());
  for (const auto& [kind, capability, variables] :
       {std::tuple("keyed", keyed_variables_capability, &info.keyed_variables),
        std::tuple("free", free_variables_capability, &info.free_variables)}) {
    const InfoNode* const named = kinds.section(kind, false);
    if (named == nullptr) continue;
    for (const InfoNode& each : named->children)
      variables->push_back(read_variable(each, info, reader.errors()));
    if (variables->empty())
      reader.errors().add(*named, "expected variables in braces, NAME { from A  to B }");
    info.capabilities.emplace_back(capability);
  }
  kinds.finish();
}

void check_place_variables(const InfoNode& node, InfoErrors& errors) {
  std::vector<std::string> taken;
  for (const char* const key :
       {"cache_variable", "compiler_variable", "nvrtc_variable", "hiprtc_variable"}) {
    const InfoNode* const named = node.child(key);
    if (named == nullptr || named->value.empty()) continue;
    const std::string& variable = named->value;
    if (is_of_the_judge(variable))
      errors.add(*named, fmt::format("{} belongs to the judge; expected the tuner's own variable",
                                     variable));
    else if (!is_variable_name(variable))
      errors.add(*named, not_a_name(variable));
    else if (std::find(taken.begin(), taken.end(), variable) != taken.end())
      errors.add(*named,
                 fmt::format("{} names something else above; expected another variable", variable));
    taken.push_back(variable);
  }
}

}  // namespace tunecheck
