// The key must have every axis that matters: here it lacks one, and a stale winner is used.
#include <algorithm>
#include <map>
#include <mutex>

#include "core/digest.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

void erase_axis(ReferenceAdapterSetup& setup, const std::string& axis) {
  std::erase_if(setup.parts.key_axes, [&](const KeyAxis& each) { return each.name == axis; });
}

Mutant without(std::string name, std::string axis, const std::string& what) {
  return {std::move(name), "reuses a winner although " + what,
          [axis = std::move(axis)](ReferenceAdapterSetup& setup) { erase_axis(setup, axis); }};
}

// Keeps the winner's position in the list of configs; the config itself only tells whether the
// artifact at hand is already that of the position.
class WinnerByIndex : public StoreDecorator {
 public:
  WinnerByIndex(std::unique_ptr<WinnerStore> inner, CompileCount compiles)
      : StoreDecorator(std::move(inner)), m_compiles(std::move(compiles)) {}

  Found find(const Key& key, const KeyContext& context) override {
    const std::vector<Config>& configs = context.facts.configs;
    {
      const std::scoped_lock lock(m_mutex);
      m_configs[key.text()] = configs;
    }
    Found found = inner().find(key, context);
    if (found.state != Found::State::hit) return found;
    const auto position = found.entry.winner.extract(std::string(position_name));
    const auto index =
        position.empty() ? configs.size() : static_cast<std::size_t>(position.mapped());
    if (index >= configs.size()) return {};
    if (found.entry.winner == configs[index]) return found;
    auto compiled = compile_config(context, configs[index]);
    if (!compiled) return {Found::State::stale, compiled.error().message, {}, {}};
    ++*m_compiles;
    found.entry.winner = configs[index];
    found.entry.artifact_digest = artifact_digest(compiled->bytes);
    found.entry.artifact_bytes = compiled->bytes.size();
    found.artifact = std::move(*compiled);
    return found;
  }

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    Entry stored = entry;
    {
      const std::scoped_lock lock(m_mutex);
      const std::vector<Config>& configs = m_configs[entry.key.text()];
      const auto at = std::find(configs.begin(), configs.end(), entry.winner) - configs.begin();
      stored.winner[std::string(position_name)] = at;
    }
    return inner().put(stored, artifact);
  }

 private:
  static constexpr std::string_view position_name = "position_in_space";
  CompileCount m_compiles;
  std::mutex m_mutex;
  std::map<std::string, std::vector<Config>> m_configs;  // by the key's text
};

using Value = std::optional<std::string>;

// {"-DA", "-DB"} and {"-DA-DB"} give one text.
Value joined_options(const KeyContext& context) {
  std::string text;
  for (const std::string& option : context.request.compile_options)
    text += option;
  return text;
}

// The strides of the caller's first tensor, of its second, ..., whatever their names are.
Value strides_by_place(const KeyContext& context) {
  std::string text;
  for (const int position : context.call->caller_order)
    text +=
        stride_pattern(context.call->launch.tensors[static_cast<std::size_t>(position)].layout) +
        "; ";
  return text;
}

void replace_axis(ReferenceAdapterSetup& setup, std::string_view name, AxisMoment moment,
                  Value (*collect)(const KeyContext&)) {
  for (KeyAxis& axis : setup.parts.key_axes)
    if (axis.name == name) {
      axis.moment = moment;
      axis.collect = collect;
    }
}

void plant_winner_by_index(ReferenceAdapterSetup& setup) {
  erase_axis(setup, "space");
  decorate_store<WinnerByIndex>(setup, count_compiles(setup));
}

}  // namespace

std::vector<Mutant> missing_axis_mutants() {
  return {
      without("key_without_stride", "strides",
              "the strides follow a different pattern (FlyDSL PR 783)"),
      without("key_without_alignment", "alignment",
              "a tensor is no longer aligned to 16 bytes (burn#5352, cubecl#1510)"),
      without("key_without_arch", "arch", "the arch is different (TensorRT-LLM#17664, tilus#156)"),
      without("key_without_toolchain", "toolchain", "the compiler is different (FlyDSL PR 783)"),
      without("key_without_source", "source",
              "the kernel's source has changed (FlyDSL, from source)"),
      without("key_without_header", "headers", "one of the kernel's headers has changed"),
      without("key_without_options", "options",
              "the compile options are different (tilelang#2793, flashinfer#3363)"),
      without("key_without_space", "space", "the config space is different"),
      without("key_without_environment", "environment",
              "a variable that changes the kernel has a different value (triton-ascend#1664)"),
      without("key_without_dtype", "dtype", "the element types are different (flashinfer#2863)"),
      without("key_without_scalars", "scalars",
              "a scalar that belongs to the key has a different value"),
      without("key_without_shape", "shape", "the shapes are different (tilelang#1250)"),
      without("key_without_signature", "signature",
              "the kernel's arguments are declared differently (aiter#4840)"),
      without("key_without_tuner", "tuner",
              "it was found by a version of the tuner that has other rules for what wins"),
      {"key_joins_options",
       "joins the compile options without a separator, so that two lists give one key (CubeCL, "
       "from source)",
       [](ReferenceAdapterSetup& setup) {
         replace_axis(setup, "options", AxisMoment::bind, joined_options);
       }},
      {"key_by_place",
       "takes the strides in the order in which the caller names the arguments, so that two "
       "arguments can swap places in the key (triton#4808)",
       [](ReferenceAdapterSetup& setup) {
         replace_axis(setup, "strides", AxisMoment::call_in_detail, strides_by_place);
       }},
      {"winner_by_index",
       "stores the winner's position in the list of configs and takes whatever is there after the "
       "list has changed (flashinfer#3449)",
       plant_winner_by_index},
  };
}

}  // namespace tunecheck::mutants
