#pragma once
// A page in Markdown for a comment on a pull request and for the summary of a job.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "reports/stored/report_sources.hpp"

namespace tunecheck {

/// What GitHub takes, in bytes: a comment 65,536 characters, the summary of a job 1 MiB.
inline constexpr std::size_t longest_comment = 65536;

/// The first line of every page. A program that finds it in a comment may replace that comment by a
/// newer page: one comment that is edited, and not one for each push.
inline constexpr std::string_view markdown_marker = "<!-- tunecheck report: ";

struct MarkdownOptions {
  std::span<const RunResult> base = {};      ///< what runs are compared with
  std::string_view repository = {};          ///< address of the tuner's source; "" if unknown
  std::string_view artifact = {};            ///< address of the whole report; "" if unknown
  std::size_t most_bytes = longest_comment;  ///< at least 1000
};

/// Before the first fold, in less than 60 lines: the verdict about all, the five answers, a table
/// of the documents where there are several, for each run its causes and for each session of the
/// gate what is not a pass. Folded: failures, under their tuner; the rest. What does not fit is
/// left out, the least important first, and the page says so.
[[nodiscard]] std::string to_markdown(const ReportSources& sources, const MarkdownOptions& options);

}  // namespace tunecheck
