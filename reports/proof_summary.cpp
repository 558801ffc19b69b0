#include <algorithm>

#include <fmt/format.h>

#include "reports/terminal.hpp"
#include "reports/terminal_page.hpp"

namespace tunecheck {
namespace {

void write_configs(Page& page, const ProofResult& result) {
  for (const ProofResult::ConfigProof& proof : result.configs) {
    const std::string label = fmt::format("  {} {} {}", proof.right ? "right" : "WRONG",
                                          proof.backend, to_string(proof.config));
    page.entry(label, 44, proof.text, proof.right ? Style::plain : Style::bad, 4);
  }
}

void write_rejections(Page& page, const ProofResult& result) {
  for (const ProofResult::Rejection& rejection : result.rejections) {
    const bool accepted = rejection.applicable && !rejection.rejected;
    const std::string_view word = !rejection.applicable ? "not applicable"
                                  : accepted            ? "ACCEPTED"
                                                        : "rejected";
    page.entry(fmt::format("  {} {}", word, rejection.wrong_result), 44, rejection.text,
               accepted ? Style::bad : Style::plain, 4);
  }
}

}  // namespace

std::string proof_summary(const ProofResult& result, const TerminalOptions& options) {
  Page page(options);
  const auto right = std::count_if(result.configs.begin(), result.configs.end(),
                                   [](const auto& proof) { return proof.right; });
  const auto applicable = std::count_if(result.rejections.begin(), result.rejections.end(),
                                        [](const auto& rejection) { return rejection.applicable; });
  const auto rejected = std::count_if(
      result.rejections.begin(), result.rejections.end(),
      [](const auto& rejection) { return rejection.applicable && rejection.rejected; });
  page.entry("", 0, fmt::format("{}, size {}, arch {}", result.kernel, result.size, result.arch),
             Style::strong);
  if (!result.excluded.empty()) page.entry("  space", 12, result.excluded);
  write_configs(page, result);
  write_rejections(page, result);
  if (!result.error.empty()) page.entry("  error", 12, result.error, Style::bad);
  const bool proved = result.proved();
  page.entry(proved ? "PROVED" : "NOT PROVED", 0,
             fmt::format("{}: {} of {} right, {} of {} rejected", result.kernel, right,
                         counted(result.configs.size(), "config"), rejected,
                         counted(static_cast<std::size_t>(applicable), "wrong result")),
             proved ? Style::good : Style::bad);
  return page.text();
}

}  // namespace tunecheck
