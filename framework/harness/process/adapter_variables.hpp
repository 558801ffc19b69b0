#pragma once
// What adapter.info says of environment variables: which of them an adapter may name, and for what.
#include <map>
#include <string>

#include "core/info.hpp"
#include "harness/process/adapter_info.hpp"

namespace tunecheck {

/// The words of `backends`, there and of a single variable.
[[nodiscard]] std::vector<DeviceKind> read_backends(InfoReader& reader);

/// A variable of the tuner's own with its value, for `variables`. An error for one that the judge
/// sets itself: the cache folder, the compiler, the observers.
void read_own_variable(const InfoNode& node, const AdapterInfo& info, InfoErrors& errors,
                       std::map<std::string, std::string>& variables);

/// The value of `key`, which names a variable of the tuner's own; "" where it is not given.
[[nodiscard]] std::string read_own_name(InfoReader& reader, const std::string& key,
                                        const AdapterInfo& info);

/// The section `environment`. It may replace what the judge sets, but for what is observed by it.
void read_environment(InfoReader& reader, AdapterInfo& info);

/// The section `variables`, after read_environment(): what is not given there is as it is here.
/// What is promised of variables is a capability.
void read_promised_variables(InfoReader& reader, AdapterInfo& info);

/// Whether the variables that name the cache folder and compilers can be set, each to one thing.
void check_place_variables(const InfoNode& node, InfoErrors& errors);

}  // namespace tunecheck
