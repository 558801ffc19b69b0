#include "judge/scenario/scenario_groups.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"

namespace tunecheck {
namespace {

std::vector<const BarrierStep*> barriers_of(const ProcessStep& process) {
  std::vector<const BarrierStep*> barriers;
  for (const auto& step : process.steps)
    if (const auto* const barrier = std::get_if<BarrierStep>(&step)) barriers.push_back(barrier);
  return barriers;
}

std::vector<std::string> barrier_names(const ProcessStep& process) {
  std::vector<std::string> names;
  for (const BarrierStep* const barrier : barriers_of(process))
    names.push_back(barrier->name);
  return names;
}

std::string in_words(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

void expect_a_call_after_each(const ProcessStep& process, InfoErrors& errors) {
  const BarrierStep* open = nullptr;
  const auto complain = [&] {
    if (open != nullptr)
      errors.add(open->line, "barrier",
                 "expected a call after it, which is asked when all are there");
  };
  for (const auto& step : process.steps) {
    if (const auto* const barrier = std::get_if<BarrierStep>(&step)) {
      complain();
      open = barrier;
    } else if (std::holds_alternative<CallStep>(step) || std::holds_alternative<CallGroup>(step)) {
      open = nullptr;
    }
  }
  complain();
}

}  // namespace

std::string read_cache_folder(const InfoNode& node, InfoErrors& errors) {
  if (!is_identifier(node.value) || !node.children.empty())
    errors.add(node, fmt::format("expected a name for the folder, found \"{}\"", node.value));
  return node.value;
}

BarrierStep read_barrier(const InfoNode& node, bool has_call, InfoErrors& errors) {
  if (!is_identifier(node.value) || !node.children.empty())
    errors.add(node, fmt::format("expected a name for the barrier, found \"{}\"", node.value));
  if (!has_call)
    errors.add(node, "expected after the first call: the first calls of all come at one moment");
  return {node.value, node.line};
}

RestStep read_rest(const InfoNode& node, bool has_call, InfoErrors& errors) {
  constexpr std::int64_t most = 600;
  const auto seconds = parse_integer(node.value);
  if (!seconds || *seconds < 1 || *seconds > most || !node.children.empty())
    errors.add(node, fmt::format("expected seconds from 1 to {}, found \"{}\"", most, node.value));
  if (!has_call)
    errors.add(node, "expected after the first call: before it, there is nothing to do");
  return {std::chrono::seconds(seconds.value_or(1)), node.line};
}

namespace {

// Numbers that are no part of the key may differ.
bool ask_alike(Settings left, Settings right) {
  left.scalars.clear();
  right.scalars.clear();
  return left == right;
}

template <class Step>
std::vector<const CallStep*> calls_of(const Step& step) {
  std::vector<const CallStep*> calls;
  if (const auto* const call = std::get_if<CallStep>(&step)) calls.push_back(call);
  if (const auto* const group = std::get_if<CallGroup>(&step))
    for (const CallStep& call : group->calls)
      calls.push_back(&call);
  return calls;
}

}  // namespace

void check_rests(const ProcessStep& process, InfoErrors& errors) {
  const CallStep* searching = nullptr;
  for (const auto& step : process.steps) {
    if (std::holds_alternative<RestStep>(step)) searching = nullptr;
    for (const CallStep* const call : calls_of(step)) {
      if (searching != nullptr && !ask_alike(call->settings, searching->settings))
        errors.add(call->line, "call",
                   fmt::format("expected a rest before it: the search for the call of line {}, "
                               "which does not wait, may still work",
                               searching->line));
      else if (!call->settings.wait && searching == nullptr)
        searching = call;
    }
  }
}

void expect_nothing_else(const CallStep& killed, InfoErrors& errors) {
  if (!killed.expectations.empty())
    errors.add(killed.expectations.front().line,
               std::string(killed.expectations.front().check->name),
               "expected nothing beside outcome killed: there is no answer");
}

void expect_first(bool has_one, const InfoNode& node, InfoErrors& errors) {
  if (has_one) errors.add(node, "expected one in a process, found another");
}

void check_waits_for(const ProcessGroup& group, InfoErrors& errors) {
  const ProcessStep& process = group.processes.back();
  if (process.waits_for.empty()) return;
  std::vector<std::string> earlier;
  for (const ProcessStep& other : group.processes)
    if (&other != &process) earlier.push_back(other.name);
  if (std::find(earlier.begin(), earlier.end(), process.waits_for) == earlier.end())
    errors.add(process.line, "waits_for",
               fmt::format("expected an earlier process of the same parallel ({}), found \"{}\"",
                           fmt::join(earlier, ", "), process.waits_for));
}

void check_barriers(const ProcessGroup& group, InfoErrors& errors) {
  for (const ProcessStep& process : group.processes) {
    expect_a_call_after_each(process, errors);
    const ProcessStep& first = group.processes.front();
    if (barrier_names(process) != barrier_names(first))
      errors.add(process.line, "barrier",
                 fmt::format("expected the barriers of process \"{}\" ({}), found {}; a barrier "
                             "holds every process until all have come",
                             first.name, in_words(barrier_names(first)),
                             in_words(barrier_names(process))));
  }
}

void check_alone(const ProcessStep& process, InfoErrors& errors) {
  if (!process.waits_for.empty())
    errors.add(process.line, "waits_for", "expected in a process of a parallel");
  for (const BarrierStep* const barrier : barriers_of(process))
    errors.add(barrier->line, "barrier", "expected in a process of a parallel");
}

}  // namespace tunecheck
