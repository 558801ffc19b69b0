#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/plain_text.hpp"
#include "reports/terminal/terminal.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

using Proofs = std::vector<const ProofResult::ConfigProof*>;

// By backend and arch, in the order in which they come.
std::vector<std::pair<std::string, Proofs>> by_target(const ProofResult& result) {
  std::vector<std::pair<std::string, Proofs>> groups;
  for (const ProofResult::ConfigProof& proof : result.configs) {
    const std::string target = proof.backend + " " + proof.arch;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& each) { return each.first == target; });
    if (group == groups.end()) group = groups.insert(groups.end(), {target, {}});
    group->second.push_back(&proof);
  }
  return groups;
}

void write_config(Page& page, const ProofResult::ConfigProof& proof) {
  const std::string label = fmt::format("  {} {} {}", proof.right ? "right" : "WRONG",
                                        proof.backend, to_string(proof.config));
  page.entry(label, 44, proof.text, proof.right ? Style::plain : Style::bad, 4);
}

// A mistake in a source is the same in every config.
void write_failures_once(Page& page, const Proofs& proofs) {
  std::map<std::string, std::size_t> seen;
  for (const ProofResult::ConfigProof* const proof : proofs)
    if (!proof->right && seen[proof->text]++ == 0) write_config(page, *proof);
  for (const auto& [text, count] : seen)
    if (count > 1)
      page.entry("", 44, fmt::format("the same in {} further configs", count - 1), Style::faint);
}

void write_configs(Page& page, const ProofResult& result) {
  for (const auto& [target, proofs] : by_target(result)) {
    const bool ran = proofs.front()->ran;
    if (ran) {
      for (const ProofResult::ConfigProof* const proof : proofs)
        write_config(page, *proof);
      continue;
    }
    write_failures_once(page, proofs);
    const auto compiled =
        std::count_if(proofs.begin(), proofs.end(), [](const auto* proof) { return proof->right; });
    page.entry("  compiled " + target, 44,
               fmt::format("{} of {}, not run", compiled, counted(proofs.size(), "config")));
  }
  for (const ProofResult::Skipped& skipped : result.skipped)
    page.entry("  not compiled " + skipped.backend, 44, skipped.reason, Style::warning);
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

// "6 of 6 configs right on cpu x86-64-v2, 6 of 6 configs right on cuda sm_90, compiled for hip
// gfx90a".
std::string configs_text(const ProofResult& result) {
  std::string text, compiled;
  for (const auto& [target, proofs] : by_target(result)) {
    const auto right = static_cast<std::size_t>(std::count_if(
        proofs.begin(), proofs.end(), [](const auto* proof) { return proof->right; }));
    if (proofs.front()->ran)
      text += fmt::format("{}{} of {} right on {}", text.empty() ? "" : ", ", right,
                          counted(proofs.size(), "config"), target);
    else if (right == proofs.size())
      compiled += fmt::format("{}{}", compiled.empty() ? ", compiled for " : ", ", target);
  }
  if (text.empty()) text = "no config ran";
  return text + compiled;
}

// "kernel, sizes smoke, odd, dtypes f32, bf16".
std::string title(const ProofResult& result) {
  std::string text = result.kernel + ", size " + result.size;
  if (result.sizes.size() > 1) text = result.kernel + ", sizes " + joined(result.sizes);
  if (result.variants.size() > 1) text += ", dtypes " + joined(result.variants);
  return text;
}

void write_rejections(Page& page, const ProofResult& result) {
  for (const ProofResult::Rejection& rejection : result.rejections) {
    const bool accepted = rejection.applicable && rejection.ran && !rejection.rejected;
    const std::string_view word = !rejection.applicable ? "not applicable"
                                  : !rejection.ran      ? "NOT RUN"
                                  : accepted            ? "ACCEPTED"
                                                        : "rejected";
    page.entry(fmt::format("  {} {}", word, rejection.wrong_result), 44, rejection.text,
               accepted ? Style::bad : Style::plain, 4);
  }
}

// "1.1", "20", "300,000".
std::string times_text(double ratio) {
  std::string digits = fmt::format("{:.0f}", ratio);
  if (ratio < 10) digits = fmt::format("{:.1f}", ratio);
  if (ratio >= 1e15) digits = fmt::format("{:.1e}", ratio);
  if (ratio >= 1000 && ratio < 1e15)
    for (std::size_t at = digits.size(); at > 3; at -= 3)
      digits.insert(at - 3, ",");
  return digits;
}

std::string error_text(const ProofResult::LargestError& largest) {
  if (largest.error == 0)
    return fmt::format(
        "none, though at least {:.3g} is allowed: if the kernel is exact, say 0 in "
        "tolerance; if not, other fills would show its error",
        largest.allowed);
  std::string text =
      fmt::format("{:.3g}, allowed {:.3g}: {} times as much ({})", largest.error, largest.allowed,
                  times_text(largest.allowed / largest.error), largest.where);
  if (largest.is_too_wide())
    text +=
        "; a wrong result may pass: expected a tolerance of at most some hundred times the "
        "error that correct configs have";
  return text;
}

void write_largest_errors(Page& page, const ProofResult& result) {
  for (const ProofResult::LargestError& largest : result.largest_errors)
    page.entry(fmt::format("  {}largest error in {}", largest.is_too_wide() ? "WARNING " : "",
                           largest.dtype),
               44, error_text(largest), largest.is_too_wide() ? Style::warning : Style::plain);
}

}  // namespace

std::string proof_summary(const ProofResult& result, const TerminalOptions& options) {
  Page page(options);
  const auto applicable =
      std::count_if(result.rejections.begin(), result.rejections.end(),
                    [](const auto& rejection) { return rejection.applicable && rejection.ran; });
  const auto rejected = std::count_if(
      result.rejections.begin(), result.rejections.end(),
      [](const auto& rejection) { return rejection.applicable && rejection.rejected; });
  page.line(title(result), Style::strong);
  if (!result.excluded.empty()) page.entry("  space", 12, result.excluded);
  if (!result.also_asked.empty())
    page.entry("  also", 12, fmt::format("{}", fmt::join(result.also_asked, "; ")), Style::plain,
               20);
  write_configs(page, result);
  write_rejections(page, result);
  write_largest_errors(page, result);
  for (const std::string& mistake : result.mistakes)
    page.entry("  MISTAKE", 12, mistake, Style::bad);
  for (const std::string& note : result.notes)
    page.entry("  note", 12, note, Style::warning);
  if (!result.nothing_ran.empty()) page.entry("  NOT RUN", 12, result.nothing_ran, Style::bad);
  if (!result.error.empty()) page.entry("  error", 12, result.error, Style::bad);
  const bool proved = result.proved();
  page.line(fmt::format("{}  {}: {}, {} of {} rejected", proved ? "PROVED" : "NOT PROVED",
                        printable_line(result.kernel), configs_text(result), rejected,
                        counted(static_cast<std::size_t>(applicable), "wrong result")),
            proved ? Style::good : Style::bad);
  return page.text();
}

}  // namespace tunecheck
