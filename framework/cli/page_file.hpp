#pragma once
// What a command found, as a page for a browser next to its JSON.
#include <filesystem>

#include "reports/stored/report_sources.hpp"
#include "reports/summary/brief.hpp"

namespace tunecheck::cli {

/// Writes report.html in the folder `out`. Its path; "" if this program was built without the page,
/// or the page cannot be written: what was found is no worse for that. `context` outlives the call.
[[nodiscard]] std::filesystem::path write_page(const ReportSources& sources,
                                               const std::filesystem::path& out,
                                               const BriefContext& context = {});

}  // namespace tunecheck::cli
