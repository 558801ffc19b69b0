#pragma once
// What `tunecheck scenarios|checks|kernels|adapters|mutants list --json` writes, and --version, as
// documents, and their fields. Nothing reads them back but programs of others.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/fields/field.hpp"

namespace tunecheck {

/// Version of reports/schema/*-list.schema.json, except those of a history, and of
/// version.schema.json. A field that changes its meaning or goes away raises the major number, a
/// new field the minor one.
inline constexpr std::string_view list_schema_version = "1.0.0";

}  // namespace tunecheck

namespace tunecheck::listed {

struct Scenario {
  std::string name, family, because, kernel, file;
  int line = 0;
  std::vector<std::string> devices, needs, checks, catches;
  bool measures = false;
};
struct Check {
  std::string name, family, question, summary, capability;
  std::vector<std::string> explained_by;
  bool is_statistical = false;
};
struct Kernel {
  std::string name, summary, folder;
  std::vector<std::string> devices, sizes, dtypes, restore_value, reset_to_zero;
};
struct Adapter {
  std::string name, summary, file;
  std::vector<std::string> devices, capabilities;
  bool has_mutants = false;
};
struct Mutant {
  std::string name, adapter, summary;
};

/// What has a version of its own.
struct Version {
  std::string tunecheck_version;
  int protocol = 0;
  std::map<std::string, std::string> schemas;
};

struct Scenarios {
  std::string tunecheck_version;
  std::vector<Scenario> scenarios;
};
struct Checks {
  std::string tunecheck_version;
  std::vector<Check> checks;
};
struct Kernels {
  std::string tunecheck_version;
  std::vector<Kernel> kernels;
};
struct Adapters {
  std::string tunecheck_version;
  std::vector<Adapter> adapters;
};
struct Mutants {
  std::string tunecheck_version;
  std::vector<Mutant> mutants;
};

[[nodiscard]] const Fields<Version>& fields_of(Of<Version>);
[[nodiscard]] const Fields<Scenario>& fields_of(Of<Scenario>);
[[nodiscard]] const Fields<Check>& fields_of(Of<Check>);
[[nodiscard]] const Fields<Kernel>& fields_of(Of<Kernel>);
[[nodiscard]] const Fields<Adapter>& fields_of(Of<Adapter>);
[[nodiscard]] const Fields<Mutant>& fields_of(Of<Mutant>);
[[nodiscard]] const Fields<Scenarios>& fields_of(Of<Scenarios>);
[[nodiscard]] const Fields<Checks>& fields_of(Of<Checks>);
[[nodiscard]] const Fields<Kernels>& fields_of(Of<Kernels>);
[[nodiscard]] const Fields<Adapters>& fields_of(Of<Adapters>);
[[nodiscard]] const Fields<Mutants>& fields_of(Of<Mutants>);

}  // namespace tunecheck::listed
