#pragma once
// Planted bugs: the reference tuner with one behaviour broken on purpose, to show that a scenario
// notices. docs/mutants.md says how to add one.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/reference/reference_adapter.hpp"

namespace tunecheck {

struct Mutant {
  std::string name;
  /// One sentence: what the tuner does wrong, and the upstream issue it is modelled on.
  std::string summary;
  /// Plants the bug in the tuner's parts, or in what the adapter does. Called once a process,
  /// before the tuner is made; what it leaves in the parts may be used by several threads, as the
  /// parts themselves.
  std::function<void(ReferenceAdapterSetup&)> plant;
};

/// Every mutant that scenarios must catch, sorted by name; the same for the life of the process.
[[nodiscard]] const std::vector<Mutant>& all_mutants();
/// One of these, or of those that only the gate can catch. Null for an unknown name.
[[nodiscard]] const Mutant* find_mutant(std::string_view name);

/// [{"name": ..., "summary": ...}, ...]: what `tunecheck-adapter-mutants --list` prints.
[[nodiscard]] std::string mutants_as_json();

}  // namespace tunecheck
