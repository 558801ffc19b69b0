#pragma once
// The key axes, each defined once: key, miss explanation and documentation follow from this table.
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/call_arguments.hpp"
#include "tuner/key/key.hpp"
#include "tuner/request.hpp"

namespace tunecheck {

/// What bind() found out, once for many calls.
struct BoundFacts {
  std::string arch;               ///< as the backend resolved it
  Result<std::string> toolchain;  ///< an error where this machine has none
  KernelSources sources;
  std::vector<Config> configs;                                    ///< of the space, in its order
  std::map<std::string, std::optional<std::string>> environment;  ///< nothing: not set
};

/// All that an axis may look at. The standard axes read the smallest part that decides; the rest is
/// here so that an axis can be added without a change to the tuner.
struct KeyContext {
  const Backend& backend;
  const TuneRequest& request;
  const TunerOptions& options;
  const BoundFacts& facts;
  const CallArguments* call;  ///< null while binding
};

/// When the value of an axis is collected.
enum class AxisMoment {
  bind,  ///< once, by bind(): call is null
  call,  ///< from dtypes, shapes, stride classes, 16-byte alignment and key scalars alone
  /// From anything else of a call. A key with such an axis has no fast path: every call collects it
  /// anew.
  call_in_detail,
};

struct KeyAxis {
  std::string name;
  std::string meaning;  ///< one sentence for the documentation
  AxisMoment moment = AxisMoment::bind;
  bool may_be_unknown = false;  ///< see KeyValue
  std::function<std::optional<std::string>(const KeyContext&)> collect;
};

/// The axes of the reference tuner.
[[nodiscard]] std::vector<KeyAxis> standard_key_axes();

/// The values of the axes that are collected at each call, or of those that bind() collects.
[[nodiscard]] std::vector<KeyValue> collect_axes(std::span<const KeyAxis> axes,
                                                 const KeyContext& context, bool of_call);

/// The table as Markdown, for docs/tuner.md.
[[nodiscard]] std::string axes_as_markdown(std::span<const KeyAxis> axes);

/// The variables that belong to the key of `kernel` and their values in this process: the
/// backend's, the kernel's, and those named in TUNECHECK_KEY_ENVIRONMENT.
[[nodiscard]] std::map<std::string, std::optional<std::string>> key_environment(
    const Backend& backend, const KernelDefinition& kernel);

}  // namespace tunecheck
