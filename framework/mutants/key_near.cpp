// The key has every axis, but one of them is coarse: values that are near look alike.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/source_text.hpp"
#include "core/digest.hpp"
#include "core/layout.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

using AxisValue = std::optional<std::string>;

// One fact of each tensor, in the order of the kernel file.
template <class Fact>
std::string of_each_tensor(const KeyContext& context, Fact&& fact) {
  std::vector<std::string> facts;
  for (const TensorView& tensor : context.call->launch.tensors)
    facts.push_back(fmt::format("{}", fact(tensor)));
  return fmt::format("{}", fmt::join(facts, " "));
}

AxisValue element_sizes(const KeyContext& context) {
  return of_each_tensor(context, [](const TensorView& tensor) { return size_of(tensor.dtype); });
}

AxisValue element_counts(const KeyContext& context) {
  return of_each_tensor(context, [](const TensorView& tensor) { return tensor.layout.count(); });
}

AxisValue alignments_to_8(const KeyContext& context) {
  return of_each_tensor(context, [](const TensorView& tensor) {
    return reinterpret_cast<std::uintptr_t>(tensor.data) % 8 == 0;
  });
}

// All but the last one: most tensors are contiguous there.
AxisValue outer_strides(const KeyContext& context) {
  return of_each_tensor(context, [](const TensorView& tensor) {
    Layout outer = tensor.layout;
    if (outer.rank > 0) --outer.rank;
    return stride_pattern(outer);
  });
}

AxisValue rounded_scalars(const KeyContext& context) {
  std::string text;
  const auto& parameters = context.request.kernel.scalars;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].key) text += fmt::format("{:.4g} ", context.call->launch.scalars[i].value);
  return text;
}

AxisValue sorted_options(const KeyContext& context) {
  std::vector<std::string> options = context.request.compile_options;
  std::sort(options.begin(), options.end());
  return fmt::format("{}", fmt::join(options, "\n"));
}

// Those that the source includes itself.
AxisValue direct_headers(const KeyContext& context) {
  std::string text;
  for (const Include& include : includes_of(context.facts.sources.source.text))
    for (const SourceText& header : context.facts.sources.headers)
      if (std::filesystem::path(header.name).filename() ==
          std::filesystem::path(include.name).filename())
        text += fmt::format("{} {}\n", header.name, artifact_digest(without_comments(header.text)));
  return text;
}

AxisValue variables_of_the_backend(const KeyContext& context) {
  std::string text;
  for (const std::string& name : context.backend.environment_variables())
    if (const auto found = context.facts.environment.find(name);
        found != context.facts.environment.end())
      text += fmt::format("{}={}\n", name, found->second.value_or("not set"));
  return text;
}

AxisValue absolute_strides(const KeyContext& context) {
  return of_each_tensor(context, [](const TensorView& tensor) {
    Layout layout = tensor.layout;
    for (std::int64_t& stride : layout.strides)
      stride = std::abs(stride);
    return stride_pattern(layout);
  });
}

AxisValue counted_configs(const KeyContext& context) {
  constexpr std::size_t most_listed = 1000;
  const std::vector<Config>& configs = context.facts.configs;
  if (configs.size() > most_listed) return fmt::format("{} configs", configs.size());
  std::vector<std::string> texts;
  for (const Config& config : configs)
    texts.push_back(to_string(config));
  std::sort(texts.begin(), texts.end());
  return fmt::format("{}", fmt::join(texts, " "));
}

AxisValue set_variables(const KeyContext& context) {
  std::string text;
  for (const auto& [name, value] : context.facts.environment)
    if (value && !value->empty()) text += fmt::format("{}={}\n", name, *value);
  return text;
}

// Without the digest of what compiles, which the fingerprint ends with.
AxisValue version_text(const KeyContext& context) {
  if (!context.facts.toolchain) return std::nullopt;
  return context.facts.toolchain->substr(0, context.facts.toolchain->rfind(" ["));
}

// The axis as it was when the process first asked.
Mutant that_asks_once(std::string name, std::string_view axis, std::string description) {
  return {std::move(name), std::move(description), [axis](ReferenceAdapterSetup& setup) {
            const auto first = std::make_shared<std::optional<AxisValue>>();
            for (KeyAxis& each : setup.parts.key_axes)
              if (each.name == axis)
                each.collect = [first, collect = std::move(each.collect)](const auto& context) {
                  if (!first->has_value()) *first = collect(context);
                  return **first;
                };
          }};
}

Mutant with_coarse(std::string name, std::string axis, std::string description,
                   AxisValue (*collect)(const KeyContext&)) {
  return {std::move(name), std::move(description), [axis = std::move(axis), collect](auto& setup) {
            for (KeyAxis& each : setup.parts.key_axes)
              if (each.name == axis) each.collect = collect;
          }};
}

}  // namespace

std::vector<Mutant> coarse_axis_mutants() {
  return {
      with_coarse("key_with_element_sizes", "dtype",
                  "takes elements of the same size for the same: bf16 for f16", element_sizes),
      with_coarse("key_with_element_counts", "shape",
                  "takes tensors with as many elements for the same: 128x512 for 512x128",
                  element_counts),
      with_coarse("key_with_alignment_of_8", "alignment",
                  "takes a tensor that is aligned to 8 bytes for one that is aligned to 16",
                  alignments_to_8),
      with_coarse("key_with_outer_strides", "strides",
                  "looks at all strides but the last one, as if rows were always contiguous",
                  outer_strides),
      with_coarse("key_with_rounded_scalars", "scalars",
                  "writes scalars with four digits, so that near values are one", rounded_scalars),
      with_coarse("key_with_sorted_options", "options",
                  "sorts the compile options, of which the last may undo the first",
                  sorted_options),
      with_coarse("key_with_direct_headers", "headers",
                  "looks at the headers that the source includes, and not at what they include",
                  direct_headers),
      with_coarse("key_with_variables_of_the_backend", "environment",
                  "looks at the variables of the compiler, and not at those that the kernel names",
                  variables_of_the_backend),
      with_coarse("key_with_absolute_strides", "strides",
                  "takes a tensor that is reversed for one that is not", absolute_strides),
      with_coarse("key_counts_large_spaces", "space",
                  "knows of a large space how many configs it has, and not which ones",
                  counted_configs),
      with_coarse("key_with_version_text", "toolchain",
                  "knows of its compiler the version text, which a rebuilt one has too",
                  version_text),
      that_asks_once("asks_toolchain_once", "toolchain",
                     "asks for its compiler's version once, and a compiler that is replaced "
                     "meanwhile compiles under the old one's name"),
      that_asks_once("reads_variables_once", "environment",
                     "reads the environment at its first call, and does not see what changes after "
                     "it (triton-ascend#1664)"),
      with_coarse("key_takes_empty_for_unset", "environment",
                  "takes a variable that is empty for one that is not set", set_variables),
  };
}

}  // namespace tunecheck::mutants
