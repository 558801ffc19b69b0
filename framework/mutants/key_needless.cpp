// The key must have no axis that does not matter: here it has one, and tunes again for nothing.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/digest.hpp"
#include "mutants/families.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::mutants {
namespace {

using Value = std::optional<std::string>;

Value exact_strides(const KeyContext& context) {
  std::string text;
  for (const TensorView& tensor : context.call->launch.tensors)
    text += fmt::format("({})", fmt::join(tensor.layout.steps(), ","));
  return text;
}

Value cache_folder(const KeyContext& context) {
  return context.options.cache_folder.string();
}

Value argument_order(const KeyContext& context) {
  return fmt::format("{}", fmt::join(context.call->caller_order, ","));
}

Value all_scalars(const KeyContext& context) {
  std::string text;
  for (const Scalar& scalar : context.call->launch.scalars)
    text += fmt::format("{} ", scalar.value);
  return text;
}

Value call_number(const KeyContext& /*context*/) {
  static std::atomic<int> calls = 0;
  return std::to_string(++calls);
}

Value all_environment(const KeyContext& /*context*/) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  std::sort(variables.begin(), variables.end());
  return fmt::format("{}", fmt::join(variables, "\n"));
}

Value process(const KeyContext& /*context*/) {
  return std::to_string(::getpid());
}

Value raw_source(const KeyContext& context) {
  return artifact_digest(std::string_view(context.facts.sources.source.text));
}

Value raw_headers(const KeyContext& context) {
  std::string text;
  for (const SourceText& header : context.facts.sources.headers)
    text += fmt::format("{} {} ", header.name, artifact_digest(std::string_view(header.text)));
  return text;
}

Value space_in_order(const KeyContext& context) {
  std::string text;
  for (const Config& config : context.facts.configs)
    text += to_string(config) + " ";
  return text;
}

Value search_budget(const KeyContext& context) {
  const SearchOptions& search =
      context.request.search ? *context.request.search : context.options.search;
  return fmt::format("{} trials", search.trials);
}

// As the adapter learns of it.
Value release(const KeyContext& /*context*/) {
  const char* const given = std::getenv("TUNECHECK_ADAPTER_RELEASE");
  return given != nullptr ? std::string(given) : std::string(tuner_version);
}

using Collect = Value (*)(const KeyContext&);

Mutant with(std::string name, std::string axis, AxisMoment moment, Collect collect,
            const std::string& what) {
  return {std::move(name), "tunes again needlessly because " + what,
          [=](ReferenceAdapterSetup& setup) {
            setup.parts.key_axes.push_back({axis, what, moment, false, collect});
          }};
}

void replace_axis(ReferenceAdapterSetup& setup, std::string_view axis, Collect collect) {
  for (KeyAxis& each : setup.parts.key_axes)
    if (each.name == axis) each.collect = collect;
}

}  // namespace

std::vector<Mutant> needless_axis_mutants() {
  return {
      with("key_with_exact_strides", "exact_strides", AxisMoment::call_in_detail, exact_strides,
           "the key holds the exact strides instead of their pattern"),
      with("key_with_cache_folder", "cache_folder", AxisMoment::bind, cache_folder,
           "the key holds the path of the cache folder"),
      with("key_with_argument_order", "argument_order", AxisMoment::call_in_detail, argument_order,
           "the key holds the order in which the caller names the arguments (triton#4808)"),
      with("key_with_all_scalars", "all_scalars", AxisMoment::call_in_detail, all_scalars,
           "the key holds every scalar, even those that do not belong to it"),
      with("key_with_call_number", "call_number", AxisMoment::call_in_detail, call_number,
           "the key holds the number of the call, so that a process never hits its own winner"),
      with("key_with_all_environment", "all_environment", AxisMoment::bind, all_environment,
           "the key holds every environment variable, even unrelated ones"),
      with("key_with_process", "process", AxisMoment::bind, process,
           "the key holds the process id, so that no later process ever hits (pytorch#132464)"),
      with("key_with_search_budget", "search_budget", AxisMoment::bind, search_budget,
           "the key holds the budget of the search, which the adapter says is ignored"),
      with("key_with_release", "release", AxisMoment::bind, release,
           "the key holds the tuner's release, although most releases change no winner"),
      {"key_with_comments",
       "tunes again needlessly because the key holds the sources with their comments (Inductor "
       "strips them)",
       [](ReferenceAdapterSetup& setup) {
         replace_axis(setup, "source", raw_source);
         replace_axis(setup, "headers", raw_headers);
       }},
      {"unknown_toolchain_must_agree",
       "tunes again if this machine cannot identify its toolchain, instead of using the stored "
       "winner "
       "(flashinfer#3970)",
       [](ReferenceAdapterSetup& setup) {
         for (KeyAxis& axis : setup.parts.key_axes)
           axis.may_be_unknown = false;
       }},
      {"key_with_space_order",
       "tunes again needlessly because the key holds the order of the configs",
       [](ReferenceAdapterSetup& setup) { replace_axis(setup, "space", space_in_order); }},
  };
}

}  // namespace tunecheck::mutants
