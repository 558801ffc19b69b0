#include "result/watch_diff.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/exit_status.hpp"

namespace tunecheck {
namespace {

using Numbers = WatchDiff::Numbers;
using Kernel = WatchResult::Kernel;

std::string file_name(const WatchResult::Finding& finding) {
  return std::filesystem::path(finding.place.file).filename().string();
}

// A list that a file brought along may be short.
std::int64_t at(const std::vector<std::int64_t>& list, std::size_t place) {
  return place < list.size() ? list[place] : 0;
}

Numbers numbers_of(const Kernel& kernel, std::size_t run) {
  return {at(kernel.launches, run), at(kernel.trials, run), 0, at(kernel.tuning_ns, run)};
}

// The most of each number in runs after the first.
Numbers warm_numbers(const Kernel& kernel) {
  Numbers most;
  for (std::size_t run = 1; run < kernel.launches.size(); ++run) {
    const Numbers each = numbers_of(kernel, run);
    most.launches = std::max(most.launches, each.launches);
    most.trials = std::max(most.trials, each.trials);
    most.ns = std::max(most.ns, each.ns);
  }
  return most;
}

bool differ(const WatchDiff::Pair& pair) {
  if (pair.before.has_value() != pair.now.has_value()) return true;
  return pair.before &&
         (pair.before->launches != pair.now->launches || pair.before->trials != pair.now->trials);
}

const Kernel* find_kernel(const WatchResult& watch, const std::string& name) {
  const auto found = std::find_if(watch.kernels.begin(), watch.kernels.end(),
                                  [&](const Kernel& kernel) { return kernel.name == name; });
  return found == watch.kernels.end() ? nullptr : &*found;
}

std::optional<std::size_t> find_run(const WatchResult& watch, const std::string& name) {
  for (std::size_t run = 0; run < watch.runs.size(); ++run)
    if (watch.runs[run].name == name) return run;
  return std::nullopt;
}

const std::string* settled_code(const WatchResult::Settled& settled,
                                std::optional<std::size_t> run) {
  if (!run || *run >= settled.codes.size() || settled.codes[*run].empty()) return nullptr;
  return &settled.codes[*run];
}

void add_winners(const WatchResult& before, const Kernel& earlier, const WatchResult& now,
                 const Kernel& later, WatchDiff::Kernel& kernel) {
  for (const WatchResult::Settled& settled : later.settled)
    for (const WatchResult::Settled& known : earlier.settled) {
      if (known.shapes != settled.shapes) continue;
      for (std::size_t run = 0; run < now.runs.size(); ++run) {
        const std::string& name = now.runs[run].name;
        const std::string* const code = settled_code(settled, run);
        const std::string* const other = settled_code(known, find_run(before, name));
        if (code != nullptr && other != nullptr && *code != *other)
          kernel.winners.push_back({settled.shapes, name, *other, *code});
      }
    }
}

void add_kernels(const WatchResult& before, const WatchResult& now, WatchDiff& diff) {
  std::map<std::string, WatchDiff::Kernel> all;
  for (const WatchResult* const watch : {&before, &now})
    for (const Kernel& kernel : watch->kernels) {
      WatchDiff::Kernel& row = all[kernel.name];
      row.name = kernel.name;
      const bool is_before = watch == &before;
      (is_before ? row.cold.before : row.cold.now) = numbers_of(kernel, 0);
      if (kernel.launches.size() > 1)
        (is_before ? row.warm.before : row.warm.now) = warm_numbers(kernel);
    }
  for (auto& [name, kernel] : all) {
    const Kernel* const earlier = find_kernel(before, name);
    const Kernel* const later = find_kernel(now, name);
    if (earlier != nullptr && later != nullptr) add_winners(before, *earlier, now, *later, kernel);
    const auto is_of_kernel = [&wanted = name](const WatchDiff::Finding& each) {
      return each.finding.kernel == wanted;
    };
    const bool is_found = std::any_of(diff.findings.begin(), diff.findings.end(), is_of_kernel);
    if (is_found || differ(kernel.cold) || differ(kernel.warm) || !kernel.winners.empty())
      diff.kernels.push_back(std::move(kernel));
  }
}

void add_runs(const WatchResult& before, const WatchResult& now, WatchDiff& diff) {
  const auto numbers = [](const WatchResult::Run& run) {
    return Numbers{run.launches, run.trials, run.compiles, run.wall_ns};
  };
  for (const WatchResult::Run& run : now.runs) {
    WatchDiff::Run& row = diff.runs.emplace_back();
    row.name = run.name;
    row.numbers.now = numbers(run);
    if (const auto earlier = find_run(before, run.name))
      row.numbers.before = numbers(before.runs[*earlier]);
  }
  for (const WatchResult::Run& run : before.runs)
    if (!find_run(now, run.name)) {
      WatchDiff::Run& row = diff.runs.emplace_back();
      row.name = run.name;
      row.numbers.before = numbers(run);
    }
}

void add_findings(const WatchResult& before, const WatchResult& now, WatchDiff& diff) {
  using Change = WatchDiff::Change;
  for (const WatchResult::Finding& finding : now.findings) {
    const WatchResult::Finding* const known = find_counterpart(before, now, finding);
    const bool is_new = known == nullptr || (finding.is_certain && !known->is_certain);
    diff.findings.push_back(
        {is_new ? Change::added : Change::still, finding, known != nullptr && !known->is_certain});
  }
  for (const WatchResult::Finding& finding : before.findings)
    if (find_counterpart(now, before, finding) == nullptr)
      diff.findings.push_back({Change::fixed, finding, !finding.is_certain});
  const auto rank = [](const WatchDiff::Finding& each) {
    switch (each.change) {
      case Change::added:
        return each.is_worse() ? 0 : 1;
      case Change::still:
        return 2;
      case Change::fixed:
        break;
    }
    return 3;
  };
  std::stable_sort(diff.findings.begin(), diff.findings.end(),
                   [&](const WatchDiff::Finding& one, const WatchDiff::Finding& other) {
                     return rank(one) < rank(other);
                   });
}

bool is_trusted(const WatchResult& watch) {
  return watch.saw_anything() && !watch.is_interrupted &&
         std::any_of(watch.runs.begin(), watch.runs.end(),
                     [](const WatchResult::Run& run) { return run.succeeded; });
}

}  // namespace

int WatchDiff::exit_status() const {
  if (std::any_of(findings.begin(), findings.end(),
                  [](const Finding& finding) { return finding.is_worse(); }))
    return status::failed;
  return why_untrusted.empty() ? status::held : status::untrusted;
}

const WatchResult::Finding* find_counterpart(const WatchResult& other, const WatchResult& own,
                                             const WatchResult::Finding& finding) {
  const auto is_like = [](const WatchResult::Finding& one, const WatchResult::Finding& two) {
    return one.word == two.word && one.kernel == two.kernel;
  };
  const auto has_own = [&](const WatchResult::Finding& candidate) {
    return std::any_of(own.findings.begin(), own.findings.end(), [&](const auto& each) {
      return is_like(each, candidate) && each.place.file == candidate.place.file;
    });
  };
  // A certain one in the same file stands for it best.
  const WatchResult::Finding* best = nullptr;
  int best_rank = 0;
  for (const WatchResult::Finding& candidate : other.findings) {
    if (!is_like(candidate, finding)) continue;
    const bool is_same_file = candidate.place.file == finding.place.file;
    if (!is_same_file && (file_name(candidate) != file_name(finding) || has_own(candidate)))
      continue;
    const int rank = 1 + (is_same_file ? 2 : 0) + (candidate.is_certain ? 1 : 0);
    if (rank <= best_rank) continue;
    best = &candidate;
    best_rank = rank;
  }
  return best;
}

bool is_known(const WatchResult& earlier, const WatchResult& own,
              const WatchResult::Finding& finding) {
  const WatchResult::Finding* const known = find_counterpart(earlier, own, finding);
  return known != nullptr && known->is_certain;
}

WatchDiff diff_of(const WatchResult& before, const WatchResult& now) {
  WatchDiff diff;
  if (!is_trusted(before))
    diff.why_untrusted = "the earlier watch is not to be trusted";
  else if (!is_trusted(now))
    diff.why_untrusted = "the later watch is not to be trusted";
  add_findings(before, now, diff);
  add_runs(before, now, diff);
  add_kernels(before, now, diff);
  return diff;
}

}  // namespace tunecheck
