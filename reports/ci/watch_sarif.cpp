#include "reports/ci/watch_sarif.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "core/plain_text.hpp"
#include "reports/ci/place.hpp"
#include "reports/ci/sarif_parts.hpp"
#include "reports/summary/watch_findings.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;
using Finding = WatchResult::Finding;

Json result_json(const Finding& finding, const std::string& program,
                 const std::filesystem::path& root) {
  const auto& words = all_watch_words();
  const std::string subject = subject_text(finding);
  Json result = {{"ruleId", name_of(finding.word)},
                 {"ruleIndex", std::find(words.begin(), words.end(), finding.word) - words.begin()},
                 {"level", finding.is_certain ? "error" : "note"},
                 {"message", sarif::message(fmt::format(
                                 "{}{}{}", subject, subject.empty() ? "" : ": ", finding.text))},
                 {"locations", Json::array()},
                 {"partialFingerprints",
                  {{"tunecheck/v1",
                    artifact_digest(fmt::format("{}\n{}\n{}\n{}", name_of(finding.word),
                                                finding.kernel, finding.place.file, program))}}}};
  if (const WatchResult::Place& cause = cause_of(finding); !cause.file.empty())
    result["locations"].push_back(sarif::place_json(below_root(cause.file, root), cause.line));
  // Where it is launched is another question than where it stands.
  if (!finding.place.file.empty() && cause_of(finding) != finding.place)
    result["relatedLocations"].push_back(
        sarif::place_json(below_root(finding.place.file, root), finding.place.line));
  if (finding.is_certain && !finding.fails())
    result["suppressions"].push_back(
        {{"kind", "external"},
         {"status", "accepted"},
         {"justification", finding.is_allowed ? "allowed" : "in the baseline"}});
  return result;
}

}  // namespace

Json watch_sarif_run(const WatchResult& watch, const SarifOptions& options) {
  Json rules = Json::array();
  for (const WatchWord word : all_watch_words()) {
    rules.push_back(
        sarif::rule_json(name_of(word), summary_of(word),
                         fmt::format("{} docs/watch.md has the rule.", summary_of(word))));
    if (!options.documentation.empty())
      rules.back()["helpUri"] = options.documentation + "/watch.md";
  }
  const std::string program = printable_line(short_command(watch));
  Json results = Json::array();
  for (const Finding& finding : watch.findings)
    results.push_back(result_json(finding, program, options.root));
  return {
      {"tool",
       {{"driver",
         {{"name", "tunecheck"}, {"version", printable_line(watch.tunecheck)}, {"rules", rules}}}}},
      {"automationDetails", {{"id", fmt::format("tunecheck/watch/{}/", program)}}},
      {"invocations", Json::array({{{"executionSuccessful", watch.is_trusted()}}})},
      {"columnKind", "unicodeCodePoints"},
      {"results", results}};
}

}  // namespace tunecheck
