#include "tuner/key/key_axes.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/digest.hpp"
#include "core/sources/normalised_source.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

using Value = std::optional<std::string>;

// Joins so that no two lists give one text: every item stands behind its length.
std::string joined(std::span<const std::string> items) {
  std::string text;
  for (const std::string& item : items)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", item.size(), item);
  return text;
}

// "x=f32 y=f32": one fact of each tensor, by name, so that the order of arguments means nothing.
template <class Fact>
Value per_tensor(const KeyContext& context, Fact&& fact) {
  std::vector<std::string> facts;
  for (std::size_t i = 0; i < context.call->roles.size(); ++i)
    facts.push_back(
        fmt::format("{}={}", context.call->roles[i].name, fact(context.call->launch.tensors[i])));
  std::sort(facts.begin(), facts.end());
  return fmt::format("{}", fmt::join(facts, " "));
}

Value signature(const KeyContext& context) {
  const KernelDefinition& kernel = context.request.kernel;
  std::vector<std::string> parts;
  for (const TensorRole& role : tensor_roles(kernel))
    parts.push_back(fmt::format("{} {}{}{}", role.name, name_of(role.access),
                                role.restores ? " restored" : "", role.resets ? " reset" : ""));
  for (const ScalarParameter& scalar : kernel.scalars)
    parts.push_back(fmt::format("{} scalar {}{}", scalar.name, name_of(scalar.dtype),
                                scalar.key ? " key" : ""));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Value scalars(const KeyContext& context) {
  std::vector<std::string> values;
  const auto& parameters = context.request.kernel.scalars;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].key)
      values.push_back(
          fmt::format("{}={}", parameters[i].name, context.call->launch.scalars[i].value));
  std::sort(values.begin(), values.end());
  return fmt::format("{}", fmt::join(values, " "));
}

Value toolchain(const KeyContext& context) {
  if (!context.facts.toolchain) return std::nullopt;
  return *context.facts.toolchain;
}

std::string text_digest(const std::string& text) {
  return artifact_digest(std::string_view(normalised_source(text)));
}

Value headers(const KeyContext& context) {
  std::vector<std::string> items;
  for (const SourceText& header : context.facts.sources.headers)
    items.push_back(fmt::format("{} {}", header.name, text_digest(header.text)));
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return joined(items);
}

Value options(const KeyContext& context) {
  std::vector<std::string> items;
  if (context.request.kernel.cpu) items = context.request.kernel.cpu->options;
  items.insert(items.end(), context.request.compile_options.begin(),
               context.request.compile_options.end());
  return joined(items);
}

// The set of allowed configs: the order of values and parameters decides nothing.
Value space(const KeyContext& context) {
  std::vector<std::string> configs;
  for (const Config& config : context.facts.configs)
    configs.push_back(to_string(config));
  std::sort(configs.begin(), configs.end());
  std::string text = fmt::format("{}", fmt::join(configs, " "));
  // Every entry holds its key: of a large space only what tells it from others.
  constexpr std::size_t most_characters = 4096;
  if (text.size() <= most_characters) return text;
  return fmt::format("{} configs, {}", configs.size(), key_digest(text));
}

// A variable that is not set differs from one that is set to nothing.
Value environment(const KeyContext& context) {
  std::vector<std::string> items;
  for (const auto& [name, value] : context.facts.environment)
    items.push_back(value ? fmt::format("{}={}", name, *value) : name + " not set");
  return joined(items);
}

}  // namespace

std::vector<KeyAxis> standard_key_axes() {
  constexpr auto bind = AxisMoment::bind;
  constexpr auto call = AxisMoment::call;
  const auto kernel = [](const KeyContext& c) -> Value { return c.request.kernel.name; };
  const auto arch = [](const KeyContext& c) -> Value {
    const std::string kind = c.backend.device_kind();
    return kind.empty() ? c.facts.arch : fmt::format("{} on {}", c.facts.arch, kind);
  };
  const auto source = [](const KeyContext& c) -> Value {
    return text_digest(c.facts.sources.source.text);
  };
  const auto shape = [](const KeyContext& c) -> Value {
    return per_tensor(c, [](const TensorView& tensor) {
      return fmt::format("{}", fmt::join(tensor.layout.dimensions(), "x"));
    });
  };
  const auto dtype = [](const KeyContext& c) -> Value {
    return per_tensor(c, [](const TensorView& tensor) { return name_of(tensor.dtype); });
  };
  const auto strides = [](const KeyContext& c) -> Value {
    return per_tensor(c, [](const TensorView& tensor) { return stride_pattern(tensor.layout); });
  };
  const auto alignment = [](const KeyContext& c) -> Value {
    return per_tensor(c, [](const TensorView& tensor) { return is_aligned_16(tensor) ? 16 : 1; });
  };
  const auto format = [](const KeyContext&) -> Value { return std::to_string(cache_format); };
  const auto decisions = [](const KeyContext&) -> Value {
    return std::to_string(decisions_version);
  };
  return {
      {"alignment", "whether each tensor starts at a multiple of 16 bytes", call, false, alignment},
      {"arch",
       "the arch to compile for, with \"native\" resolved; for a GPU also its name, its number of "
       "multiprocessors and its warp size",
       bind, false, arch},
      {"dtype", "the element type of each tensor", call, false, dtype},
      {"environment",
       "the names and values of variables that the backend, the kernel or "
       "TUNECHECK_KEY_ENVIRONMENT names",
       bind, false, environment},
      {"format", "the version of the cache format", bind, false, format},
      {"headers", "the SHA-256 of each of the kernel's own headers, without comments", bind, false,
       headers},
      {"kernel", "the kernel's name", bind, false, kernel},
      {"options", "the compile options in order: the kernel's, then the caller's", bind, false,
       options},
      {"scalars", "the values of scalars that the kernel file declares `key yes`", call, false,
       scalars},
      {"shape", "the shape of each tensor", call, false, shape},
      {"signature", "the arguments with their access, restore_value and reset_to_zero", bind, false,
       signature},
      {"source", "the SHA-256 of the kernel's source, without comments", bind, false, source},
      {"space", "the set of allowed configs, regardless of their order; a large set by its digest",
       bind, false, space},
      {"strides", "for each dimension of each tensor, whether the stride is 0, 1 or another value",
       call, false, strides},
      {"toolchain",
       "the compiler's fingerprint; on a machine without a compiler, any value matches", bind, true,
       toolchain},
      {"tuner", "the version of what decides a winner: how configs are tried, measured and chosen",
       bind, false, decisions},
  };
}

std::vector<KeyValue> collect_axes(std::span<const KeyAxis> axes, const KeyContext& context,
                                   bool of_call) {
  std::vector<KeyValue> values;
  for (const KeyAxis& axis : axes)
    if ((axis.moment != AxisMoment::bind) == of_call)
      values.push_back({axis.name, axis.collect(context), axis.may_be_unknown});
  return values;
}

std::string axes_as_markdown(std::span<const KeyAxis> axes) {
  std::string text = "| axis | what it is | collected |\n|---|---|---|\n";
  for (const KeyAxis& axis : axes)
    text += fmt::format("| {} | {} | {} |\n", axis.name, axis.meaning,
                        axis.moment == AxisMoment::bind ? "by bind" : "at each call");
  return text;
}

std::map<std::string, std::optional<std::string>> key_environment(const Backend& backend,
                                                                  const KernelDefinition& kernel) {
  std::set<std::string> names(kernel.environment.begin(), kernel.environment.end());
  for (std::string& name : backend.environment_variables())
    names.insert(std::move(name));
  if (const char* const more = std::getenv("TUNECHECK_KEY_ENVIRONMENT"))
    for (std::string& name : split_words(more))
      names.insert(std::move(name));
  std::map<std::string, std::optional<std::string>> values;
  for (const std::string& name : names) {
    const char* const value = std::getenv(name.c_str());
    values[name] = value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  }
  return values;
}

}  // namespace tunecheck
