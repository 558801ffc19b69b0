#include "cli/page_file.hpp"

#include "cli/usage.hpp"
#include "core/files.hpp"
#include "reports/html/html_report.hpp"

namespace tunecheck::cli {

namespace fs = std::filesystem;

fs::path write_page(const ReportSources& sources, const fs::path& out,
                    const BriefContext& context) {
  if (!has_html_reports()) return {};
  const fs::path file = out / "report.html";
  const auto page =
      html_report(sources, {context, version(), fs::absolute(out).lexically_normal()});
  if (!page || !write_file_atomically(file, *page)) return {};
  return file;
}

}  // namespace tunecheck::cli
