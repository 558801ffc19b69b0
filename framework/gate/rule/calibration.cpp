#include "gate/rule/calibration.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/in_parallel.hpp"
#include "gate/rule/noise.hpp"
#include "gate/rule/other_rules.hpp"
#include "gate/rule/session.hpp"

namespace tunecheck::gate {
namespace {

constexpr std::size_t samples_of_process = 11;
// Sessions that a thread takes at a time. Each has a seed of its own, so that nothing depends on
// who takes it.
constexpr std::size_t chunk = 1000;

// The seed of one machine; streams of different purposes must not meet.
std::uint64_t seed_of(std::uint64_t seed, std::size_t model, std::size_t column,
                      std::size_t session) {
  std::uint64_t word = seed;
  for (const std::uint64_t part : {model, column, session}) {
    word = (word ^ part) + 0x9e3779b97f4a7c15U;  // SplitMix64
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
    word ^= word >> 31;
  }
  return word;
}

Finding simulate(const NoiseModel& model, double slowdown, const Settings& settings,
                 std::uint64_t seed) {
  NoisyMachine machine(model, seed);
  Session session({{"simulated", Role::measured}}, settings, seed + 1);
  while (const auto step = session.next()) {
    Pair pair;
    for (const bool is_second : {false, true}) {
      const bool is_head = (step->first == Side::head) != is_second;
      (is_head ? pair.head : pair.base).samples =
          machine.run(is_head ? 1 + slowdown : 1, samples_of_process);
    }
    session.add(pair);
  }
  return session.conclusion().findings[0];
}

void add(const Finding& finding, OwnCounts& counts) {
  ++counts.answers[static_cast<std::size_t>(finding.answer)];
  counts.pairs += finding.screen_pairs + finding.confirmation_pairs;
}

// One process each, base first.
void simulate_others(const NoiseModel& model, std::size_t column, std::uint64_t seed,
                     MachineCalibration& counts) {
  std::size_t most = 0;
  for (const OtherRule& rule : other_rules())
    most = std::max(most, rule.samples);
  NoisyMachine machine(model, seed);
  const std::vector<double> base = machine.run(1, most);
  const std::vector<double> head = machine.run(1 + planted_slowdowns[column], most);
  for (std::size_t i = 0; i < other_rules().size(); ++i) {
    const OtherRule& rule = other_rules()[i];
    if (rule.is_slower(Samples(base).first(rule.samples), Samples(head).first(rule.samples)))
      ++counts.others[i][column];
  }
}

MachineCalibration calibrate_chunk(const CalibrationOptions& options, std::size_t at,
                                   std::size_t first, std::size_t last) {
  const NoiseModel& model = noise_models()[at];
  MachineCalibration counts;
  counts.others.resize(other_rules().size());
  for (std::size_t column = 0; column < planted_slowdowns.size(); ++column)
    for (std::size_t session = first; session < last; ++session) {
      const std::uint64_t seed = seed_of(options.seed, at, column, session);
      const Finding finding = simulate(model, planted_slowdowns[column], options.settings, seed);
      add(finding, counts.own[column]);
      simulate_others(model, column, seed + 2, counts);
      if (column > 0) continue;
      counts.stated += finding.detectable;
      const Finding again = simulate(model, finding.detectable, options.settings, seed + 3);
      if (again.answer == Answer::regression) ++counts.stated_found;
    }
  return counts;
}

void join(const MachineCalibration& part, MachineCalibration& whole) {
  for (std::size_t column = 0; column < planted_slowdowns.size(); ++column) {
    for (std::size_t i = 0; i < part.own[column].answers.size(); ++i)
      whole.own[column].answers[i] += part.own[column].answers[i];
    whole.own[column].pairs += part.own[column].pairs;
    for (std::size_t i = 0; i < part.others.size(); ++i)
      whole.others[i][column] += part.others[i][column];
  }
  whole.stated_found += part.stated_found;
  whole.stated += part.stated;
}

}  // namespace

Calibration calibrate(const CalibrationOptions& options) {
  const std::size_t chunks = (options.sessions + chunk - 1) / chunk;
  std::vector<MachineCalibration> parts(chunks * noise_models().size());
  in_parallel(parts.size(), worker_count(options.jobs), [&](std::size_t i) {
    const std::size_t first = i % chunks * chunk;
    parts[i] =
        calibrate_chunk(options, i / chunks, first, std::min(first + chunk, options.sessions));
  });
  Calibration calibration{options, {}};
  for (std::size_t at = 0; at < noise_models().size(); ++at) {
    MachineCalibration whole;
    whole.machine = noise_models()[at].name;
    whole.others.resize(other_rules().size());
    for (std::size_t i = 0; i < chunks; ++i)
      join(parts[at * chunks + i], whole);
    calibration.machines.push_back(std::move(whole));
  }
  return calibration;
}

std::vector<Promise> promises(const Calibration& calibration) {
  constexpr std::size_t five_percent = 2;  // of planted_slowdowns
  constexpr double false_alarms = 1e-4;    // of sessions; few of them may still have one
  constexpr std::array<std::pair<std::string_view, double>, 3> least = {
      {{"quiet", 0.999}, {"shared", 0.99}, {"bad", 0.85}}};
  const double sessions = static_cast<double>(calibration.options.sessions);
  std::vector<Promise> result;
  for (const MachineCalibration& machine : calibration.machines) {
    const std::size_t alarms = machine.own[0].of(Answer::regression);
    result.push_back({fmt::format("{}: at most 10 false alarms in 100,000 sessions; {} in {}",
                                  machine.machine, alarms, calibration.options.sessions),
                      static_cast<double>(alarms) <= std::max(1.0, false_alarms * sessions)});
    for (const auto& [name, share] : least) {
      if (name != machine.machine) continue;
      const double found =
          static_cast<double>(machine.own[five_percent].of(Answer::regression)) / sessions;
      result.push_back({fmt::format("{}: +5 % found in more than {:.1f} % of sessions; {:.2f} %",
                                    name, 100 * share, 100 * found),
                        found > share});
    }
  }
  return result;
}

}  // namespace tunecheck::gate
