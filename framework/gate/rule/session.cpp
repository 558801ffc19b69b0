#include "gate/rule/session.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gate/rule/drawn.hpp"

namespace tunecheck::gate {
namespace {

// What is wrong about the answer to a canary; "" where nothing is.
std::string complaint(const Benchmark& benchmark, const Finding& finding,
                      const Settings& settings) {
  if (benchmark.role != Role::measured && std::isnan(finding.change))
    return fmt::format("the canary \"{}\" could not be measured: {}", benchmark.name,
                       finding.reason);
  const std::string answer = fmt::format("\"{}\" got the answer {} ({})", benchmark.name,
                                         to_string(finding.answer), finding.reason);
  if (benchmark.role == Role::same && finding.answer != Answer::pass &&
      finding.answer != Answer::inconclusive)
    return fmt::format(
        "the canary {}, though base and head are the same build; look for other work on this "
        "machine, and run the session again",
        answer);
  if (benchmark.role == Role::slowed && finding.answer != Answer::regression)
    return fmt::format(
        "the canary {}, though its head is slowed down by {:.0f} %; run the session again on a "
        "quieter machine",
        answer, 100 * settings.planted);
  return {};
}

}  // namespace

Session::Session(std::vector<Benchmark> benchmarks, const Settings& settings, std::uint64_t seed)
    : m_benchmarks(std::move(benchmarks)), m_settings(settings), m_random(seed) {
  for (const Benchmark& benchmark : m_benchmarks)
    m_comparisons.emplace_back(
        settings, benchmark.role == Role::slowed ? settings.planted : settings.tolerance);
  begin_round();
}

// One pair of each benchmark that wants one: a slow spell of the machine hits all of them a little
// rather than one of them badly.
void Session::begin_round() {
  for (std::size_t i = 0; i < m_comparisons.size(); ++i)
    if (m_comparisons[i].pairs_missing() > 0)
      m_round.push_back({i, drawn(m_random, 2) == 0 ? Side::base : Side::head});
  shuffle(m_random, m_round);
}

std::optional<Step> Session::next() const {
  if (m_round.empty()) return std::nullopt;
  return m_round.back();
}

void Session::add(const Pair& pair) {
  m_comparisons[m_round.back().benchmark].add(pair);
  m_round.pop_back();
  if (m_round.empty()) begin_round();
  if (m_round.empty()) advance();
}

// Nobody wants a pair: all screens are over, or all confirmations. Canaries are no part of the
// family: they have their answers whatever the others have.
void Session::advance() {
  std::vector<Comparison*> suspected, confirmed;
  for (std::size_t i = 0; i < m_comparisons.size(); ++i) {
    Comparison& comparison = m_comparisons[i];
    const bool is_canary = m_benchmarks[i].role != Role::measured;
    if (comparison.stage() == Stage::suspected) {
      if (is_canary)
        comparison.confirm(1);
      else
        suspected.push_back(&comparison);
    }
    if (comparison.stage() == Stage::confirmed) {
      if (is_canary)
        settle_all({&comparison}, 1, m_settings);
      else
        confirmed.push_back(&comparison);
    }
  }
  // All screens end together, so that this happens once.
  if (!suspected.empty()) m_family = suspected.size();
  for (Comparison* const comparison : suspected)
    comparison->confirm(m_family);
  settle_all(confirmed, m_family, m_settings);
  begin_round();
}

Conclusion Session::conclusion() const {
  Conclusion conclusion;
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < m_comparisons.size(); ++i) {
    const Finding& finding = m_comparisons[i].finding();
    conclusion.findings.push_back(finding);
    if (m_benchmarks[i].role == Role::measured) answers.push_back(finding.answer);
    if (conclusion.reason.empty())
      conclusion.reason = complaint(m_benchmarks[i], finding, m_settings);
  }
  if (conclusion.reason.empty() && answers.empty()) conclusion.reason = "no benchmark was measured";
  if (conclusion.reason.empty()) conclusion.answer = joined(answers);
  return conclusion;
}

Answer joined(const std::vector<Answer>& answers) {
  return answers.empty() ? Answer::invalid : *std::max_element(answers.begin(), answers.end());
}

}  // namespace tunecheck::gate
