// What a call leaves of the process's surroundings.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

// By name; without a value where the variable is gone.
using Variables = std::map<std::string, std::optional<std::string>>;

Variables variables_of(const CompileEvent& compile) {
  Variables variables;
  for (const std::string& text : compile.environment) {
    const std::size_t equals = text.find('=');
    variables[text.substr(0, equals)] =
        equals == text.npos ? std::nullopt : std::optional(text.substr(equals + 1));
  }
  return variables;
}

std::string text_of(const Variables& variables, const std::string& name) {
  const auto found = variables.find(name);
  if (found == variables.end()) return "as at the start";
  return found->second ? "\"" + *found->second + "\"" : "not set";
}

// The first of the later calls of the process that compiled.
const CallRecord* next_that_compiled(const CheckContext& context) {
  for (const CallRecord& call : context.process.calls)
    if (call.number > context.call.number && !call.compiles.empty()) return &call;
  return nullptr;
}

// Of variables whose new value all compiles of a later call have. What a tuner sets for a single
// compiler run differs from run to run, or is there from the first.
std::vector<std::string> changed_variables(const CallRecord& call, const CallRecord& next) {
  const Variables before = variables_of(call.compiles.front());
  std::set<std::string> names;
  for (const CallRecord* const each : {&call, &next})
    for (const CompileEvent& compile : each->compiles)
      for (const auto& [name, value] : variables_of(compile))
        names.insert(name);
  std::vector<std::string> changed;
  for (const std::string& name : names) {
    const std::string then = text_of(before, name);
    const std::string now = text_of(variables_of(next.compiles.front()), name);
    const bool is_steady = std::all_of(
        next.compiles.begin(), next.compiles.end(),
        [&](const CompileEvent& compile) { return text_of(variables_of(compile), name) == now; });
    if (is_steady && then != now)
      changed.push_back(fmt::format("variable {}: {} before, {} after", name, then, now));
  }
  return changed;
}

}  // namespace

Answer process_unchanged(const CheckContext& context) {
  const std::string expected = "what the process has besides its memory is as before the call";
  const auto& states = context.call.process_states;
  if (!states || !states->trouble.empty())
    return no_evidence(expected, states ? states->trouble : "nobody looked at the process");
  std::vector<std::string> changed;
  // What a tuner keeps for its whole life it opens at its first call.
  const bool may_open = context.call.number == context.process.calls.front().number;
  for (const auto& [name, before] : states->before) {
    if (may_open && name == open_pipes) continue;
    const auto after = states->after.find(name);
    const std::string now = after == states->after.end() ? "unknown" : after->second;
    if (now != before) changed.push_back(fmt::format("{}: {} before, {} after", name, before, now));
  }
  // A library that compiles within the process is no program, and records none of its variables.
  const CallRecord* const next = is_gpu(context.scenario.backend) || context.call.compiles.empty()
                                     ? nullptr
                                     : next_that_compiled(context);
  if (next != nullptr)
    for (std::string& variable : changed_variables(context.call, *next))
      changed.push_back(std::move(variable));
  std::string observed;
  for (const std::string& change : changed)
    observed += (observed.empty() ? "" : "; ") + change;
  if (changed.empty())
    observed = fmt::format("{} things are as they were; {}", states->before.size(),
                           next != nullptr ? "so are the variables of the next compiler"
                                           : "no later compiler shows the variables");
  return judged(changed.empty(), expected, observed);
}

}  // namespace tunecheck::checks
