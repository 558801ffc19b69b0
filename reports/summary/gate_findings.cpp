#include "reports/summary/gate_findings.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "reports/summary/quantity.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view not_ended = "the session was not finished";

// A change of a winner is told by its own benchmark.
std::string name_in(const gate::GateResult& session, const gate::BenchmarkResult& benchmark) {
  for (const gate::WinnerChange& change : session.winner_changes)
    if (!change.benchmark.empty() && change.benchmark == benchmark.subject.name)
      return fmt::format("{}, {} instead of {}", benchmark.subject.name, change.head, change.base);
  return benchmark.subject.name;
}

}  // namespace

std::vector<GateFinding> findings_of(const gate::GateResult& session) {
  std::vector<GateFinding> findings;
  for (const gate::BenchmarkResult& benchmark : session.benchmarks)
    if (benchmark.role == gate::Role::measured)
      findings.push_back(
          {benchmark.finding.answer, name_in(session, benchmark),
           benchmark.is_settled ? with_factors(benchmark.finding.reason) : std::string(not_ended),
           &benchmark, nullptr});
  for (const gate::CountResult& count : session.counts)
    findings.push_back({count.finding.answer, count.subject.name,
                        fmt::format("{} ({})", count.finding.reason, count.subject.unit), nullptr,
                        &count});
  for (const gate::WinnerChange& change : session.winner_changes)
    if (change.benchmark.empty())
      findings.push_back({gate::Answer::inconclusive, change.kernel + "/" + change.size,
                          fmt::format("the winner is {} instead of {}; its cost is not known: {}",
                                      change.head, change.base, change.reason),
                          nullptr, nullptr});
  std::stable_sort(findings.begin(), findings.end(),
                   [](const GateFinding& a, const GateFinding& b) { return a.answer > b.answer; });
  return findings;
}

std::string_view place_of_interval(const gate::BenchmarkResult& benchmark,
                                   const gate::Settings& settings) {
  const gate::Finding& finding = benchmark.finding;
  if (!benchmark.is_settled || !std::isfinite(finding.change)) return "";
  if (finding.at_least > settings.delta) return "above delta";
  if (finding.at_most < 1 / (1 + settings.delta) - 1) return "below delta";
  return finding.at_most < settings.tolerance ? "within the tolerance" : "beyond the tolerance";
}

double median_of(const gate::BenchmarkResult& benchmark, gate::Side side) {
  std::vector<double> medians;
  for (const gate::PairRecord& record : benchmark.pairs) {
    const gate::ProcessRun& run = side == gate::Side::base ? record.pair.base : record.pair.head;
    const bool is_cpu = benchmark.finding.decided_by == gate::TimeKind::cpu;
    const std::vector<double>& samples = is_cpu ? run.cpu_samples : run.samples;
    if (!samples.empty()) medians.push_back(gate::median(samples));
  }
  return medians.empty() ? std::nan("") : gate::median(medians);
}

std::string counts_text(const std::vector<std::int64_t>& counts) {
  return fmt::format("{}", fmt::join(std::set<std::int64_t>(counts.begin(), counts.end()), ", "));
}

std::string why_not_trusted(const gate::GateResult& session) {
  if (!session.is_complete) return std::string(not_ended);
  if (session.answer != gate::Answer::invalid) return {};
  return session.reason.empty() && findings_of(session).empty() ? "nothing was measured"
                                                                : session.reason;
}

std::string side_text(const gate::SideResult& side) {
  const std::string commit = side.commit.substr(0, 12);
  if (commit.empty()) return side.given;
  return side.given == side.commit ? commit : side.given + ", commit " + commit;
}

std::string subject_of(const gate::GateResult& session) {
  std::string subject = side_text(session.head) + " against " + side_text(session.base);
  if (!session.adapter.empty())
    subject += fmt::format(", {} on {}", session.adapter, session.backend);
  return subject;
}

}  // namespace tunecheck
