#pragma once
// How others decide that something became slower, to be compared with our rule on the same
// machines. Each is the decision only, read from the source named at it; how processes are run is
// left as its users do: one process of the base, then one of the head.
#include <functional>
#include <span>
#include <string_view>

namespace tunecheck::gate {

using Samples = std::span<const double>;

/// mean(head) / mean(base) above 1.05.
[[nodiscard]] bool mean_ratio_is_slower(Samples base, Samples head);

/// Google Benchmark's tools/compare.py (gbench/report.py, calc_utest): Mann-Whitney, two-sided, at
/// 0.05. SciPy's p-value: with the normal distribution, a correction for continuity and one for
/// ties where both sides have more than 8 samples, exact otherwise. At least 2 samples.
[[nodiscard]] bool compare_py_is_slower(Samples base, Samples head);

/// benchstat (golang.org/x/perf/benchmath, AssumeNothing): the same test with exact p-values up to
/// 50 samples without ties, at most 0.05. At most 50 samples here.
[[nodiscard]] bool benchstat_is_slower(Samples base, Samples head);

/// nvbench_compare_legacy.py: the means differ by more than the smaller of the two relative
/// standard deviations. At least 2 samples.
[[nodiscard]] bool nvbench_legacy_is_slower(Samples base, Samples head);

/// nvbench_compare_robust.py: the interval from the smallest sample to the third quartile lies
/// above that of the base by at least 0.5 %. It wants the same of clock cycles, which say the same
/// here, where clocks are constant.
[[nodiscard]] bool nvbench_robust_is_slower(Samples base, Samples head);

/// criterion.rs (analysis/compare.rs, report.rs): a bootstrapped t-test at 0.05 and, of the ratio
/// of the means, a bootstrapped 95 % interval that is above 1 %. The bootstrap is replaced by the
/// normal distribution that it tends to, which a test compares with a real one. At least 30
/// samples.
[[nodiscard]] bool criterion_is_slower(Samples base, Samples head);

struct OtherRule {
  std::string_view name;
  std::size_t samples;  ///< of each process, as many as its users usually have
  bool (*is_slower)(Samples base, Samples head);
};

/// All of them.
[[nodiscard]] std::span<const OtherRule> other_rules();

/// The two-sided p-value of Mann and Whitney, as SciPy's mannwhitneyu chooses it. At least one
/// sample each.
[[nodiscard]] double mann_whitney(Samples first, Samples second);
/// The exact one; samples without ties.
[[nodiscard]] double exact_mann_whitney(Samples first, Samples second);

}  // namespace tunecheck::gate
