#pragma once
// One file with everything that there is to see, for a browser, without a network: the page of
// html_template() with the data of results, watches, sessions of the gate, histories and audits.
// What the page shows of many samples or texts is gathered here, so that it opens quickly however
// large a result is.
#include <filesystem>
#include <string>

#include "core/result.hpp"
#include "reports/stored/report_sources.hpp"
#include "reports/summary/brief.hpp"

namespace tunecheck {

/// False where the program was built without the page.
[[nodiscard]] bool has_html_reports();

struct HtmlOptions {
  BriefContext context;  ///< outlives the call
  std::string version;   ///< of tunecheck
  /// Where the page will be: it links evidence relative to that, so that both can be moved
  /// together.
  std::filesystem::path folder = {};
};

/// Reads the ends of logs of what failed, as far as they are there. `options`' context outlives the
/// call. An error where the program was built without the page, and where
/// there is no document.
[[nodiscard]] Result<std::string> html_report(const ReportSources& sources,
                                              const HtmlOptions& options);

}  // namespace tunecheck
