#pragma once
// One file with everything that there is to see, for a browser, without a network: the page of
// html_template() with the data of results, sessions of the gate and audits. What the page shows of
// many samples or texts is gathered here, so that it opens quickly however large a result is.
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/gate_result.hpp"
#include "judge/verdict.hpp"

namespace tunecheck {

/// What a report shows, each with the file that it was read from.
struct HtmlSources {
  template <class Content>
  struct Source {
    std::string file;
    Content content;
  };
  std::vector<Source<RunResult>> runs;  ///< scenarios of all of them are in one list
  std::vector<Source<gate::GateResult>> gates;
  std::vector<Source<AuditResult>> audits;
};

/// Files that `tunecheck run`, `tunecheck gate` and `tunecheck audit` wrote, in any order. Results
/// that are parts of one run are merged. The first file that cannot be read is an error.
[[nodiscard]] Result<HtmlSources> read_html_sources(
    const std::vector<std::filesystem::path>& files);

/// An error where the program was built without the page.
[[nodiscard]] Result<std::string> html_report(const HtmlSources& sources,
                                              const std::string& tunecheck_version);

}  // namespace tunecheck
