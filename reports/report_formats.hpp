#pragma once
// The formats of `tunecheck report`: a new one is a row here.
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "reports/stored/report_sources.hpp"
#include "reports/terminal/terminal.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// What a report is made of.
struct ReportInput {
  ReportSources sources;
  std::vector<RunResult> base;  ///< what runs are compared with; may be empty
  std::vector<ReportSource<AuditResult>> base_audits;  ///< likewise, of audits
  TerminalOptions terminal;                            ///< for the format "terminal"
  std::filesystem::path root;    ///< scenario files below it are named relative to it
  std::filesystem::path folder;  ///< absolute, where the report will be: for the format "html"
  std::string repository;        ///< address of the page of the tuner's source; "" if unknown
  std::string artifact;          ///< address of the whole report, for the format "markdown"
  std::string documentation;     ///< address of the folder docs/, for the format "sarif"
  bool with_known = false;       ///< also known failures, for the format "sarif"
  std::size_t most_bytes = 0;    ///< for the format "markdown"; 0: as a comment may have
  std::string version;           ///< of tunecheck, for the format "html"
};

struct ReportFormat {
  std::string_view name;
  std::string_view summary;  ///< what it is for, a few words
  /// The whole report. An error with a file where the format cannot show what is in that; one
  /// without where this program cannot make it.
  Result<std::string> (*make)(const ReportInput& input);
};

[[nodiscard]] std::span<const ReportFormat> report_formats();
/// Null where there is none of that name.
[[nodiscard]] const ReportFormat* find_report_format(std::string_view name);

}  // namespace tunecheck
