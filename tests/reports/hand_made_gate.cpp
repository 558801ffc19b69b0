#include "hand_made_gate.hpp"

namespace tunecheck::test {

using namespace gate;

namespace {

BenchmarkResult benchmark(const std::string& metric, Answer answer, const std::string& reason,
                          double change) {
  BenchmarkResult result;
  result.subject = {
      "axpy_inplace/smoke/cpu/" + metric, metric, "axpy_inplace", "smoke", "cpu", "ns"};
  result.is_settled = true;
  result.finding.answer = answer;
  result.finding.reason = reason;
  result.finding.change = change;
  result.finding.at_least = change - 0.01;
  result.finding.at_most = change + 0.01;
  result.finding.detectable = 0.035;
  result.finding.screen_pairs = 10;
  result.finding.confirmation_pairs = answer == Answer::pass ? 0 : 30;
  result.pairs = {{Side::head, {{{100, 101.5, 99}, ""}, {{110, 112, 108}, ""}}},
                  {Side::base, {{{103}, ""}, {{112}, ""}}}};
  return result;
}

}  // namespace

GateResult mixed_gate() {
  GateResult result;
  result.tunecheck_version = "0.1.0";
  result.started = "2024-05-01T12:00:00Z";
  result.kind = "adapter";
  result.adapter = "reference";
  result.backend = "cpu";
  result.seed = 7;
  result.environment = {{"cpu", "Toy CPU"}, {"cores", "2"}};
  result.pinning = "processes were pinned to CPU 1";
  result.wall_ns = 12'300'000'000;
  result.is_complete = true;
  result.answer = Answer::regression;
  result.base = {"out/base", "/tmp/base", "", "reference 0.1.0", {{"program", "12ab"}}};
  result.head = {"HEAD", "/tmp/head", "0123abc", "reference 0.1.0", {{"program", "34cd"}}};
  result.benchmarks = {
      benchmark("winner_time", Answer::regression, "9.8 % slower in 30 fresh pairs", 0.098),
      benchmark("tuning_time", Answer::improved, "7.0 % faster in 30 fresh pairs", -0.07),
      benchmark("warm_start", Answer::pass, "at most 1.2 % slower", 0.002),
      benchmark("dispatch", Answer::inconclusive, "too much scatter to tell", 0.03),
      benchmark("warm_start", Answer::pass, "at most 1.2 % slower", 0),
      benchmark("warm_start", Answer::regression, "10.1 % slower in 30 fresh pairs", 0.101)};
  result.benchmarks[4].role = Role::same;
  result.benchmarks[4].subject.name = "canary/same";
  result.benchmarks[5].role = Role::slowed;
  result.benchmarks[5].subject.name = "canary/slowed";
  result.benchmarks[5].canary_of = {result.benchmarks[0].subject.name, "launch"};
  BenchmarkResult& failed = result.benchmarks.emplace_back(
      benchmark("winner_change", Answer::regression, "the head failed in pair 1", 0));
  failed.finding = Finding{};
  failed.finding.answer = Answer::regression;
  failed.finding.reason = "the head failed in pair 1, the base did not: signal 11";
  failed.pairs = {{Side::base, {{{5}, ""}, {{}, "signal 11"}}}};
  result.counts = {
      {{"axpy_inplace/smoke/cpu/warm_compiles", "warm_compiles", "axpy_inplace", "smoke", "cpu",
        "compiles"},
       {Answer::regression, "base 0, head 1"},
       {0, 0},
       {1, 1}},
      {{"axpy_inplace/smoke/cpu/trials", "trials", "axpy_inplace", "smoke", "cpu", "configs"},
       {Answer::pass, "base 12, head 12"},
       {12, 12},
       {12}}};
  result.winner_changes = {{"axpy_inplace",
                            "smoke",
                            "cpu",
                            "block=64",
                            "block=128",
                            {{"block=64", 4}, {"block=32", 1}},
                            {{"block=128", 5}},
                            "axpy_inplace/smoke/cpu/winner_change",
                            ""}};
  result.added = {"rope_inplace/smoke/cpu/warm_start"};
  result.removed = {"rope/smoke/cpu/warm_start"};
  result.renamed = {{"rope/smoke/cpu/warm_start", "rope_inplace/smoke/cpu/warm_start"}};
  result.not_measured = {{"axpy_inplace/smoke/cpu/dispatch", "y is changed in place"}};
  return result;
}

}  // namespace tunecheck::test
