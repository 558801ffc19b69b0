#include "readers.hpp"

#include "adapter/protocol/messages.hpp"
#include "backend/gpu/compile_lines.hpp"
#include "backend/sim/artifact.hpp"
#include "core/files.hpp"
#include "core/info.hpp"
#include "core/kernel.hpp"
#include "core/parse_json.hpp"
#include "gate/history/google_benchmark.hpp"
#include "gate/rule/google_benchmark_json.hpp"
#include "gate/rule/real_session.hpp"
#include "harness/kernel/isolated_run.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/scenario/causes.hpp"
#include "judge/scenario/coverage.hpp"
#include "judge/scenario/known_marks.hpp"
#include "judge/scenario/name_list.hpp"
#include "judge/scenario/scenario.hpp"
#include "observe/evidence.hpp"
#include "observe/spy_settings.hpp"
#include "observe/watch/watch_events.hpp"
#include "reports/matrix/matrix_json.hpp"
#include "reports/stored/gate_json.hpp"
#include "reports/stored/report_sources.hpp"
#include "reports/stored/result_reader.hpp"
#include "reports/stored/watch_json.hpp"
#include "table/foreign_table.hpp"
#include "table/offline_table.hpp"
#include "tuner/cache_command/bundle.hpp"
#include "tuner/remote/remote_record.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

// What a reader says; "" where it takes the file for good.
template <class Value>
std::string said(const Result<Value>& result) {
  return result ? std::string() : result.error().text();
}

// One that takes a text: the file is read first.
template <class Parse>
std::function<std::string(const fs::path&)> of_text(Parse parse) {
  return [parse](const fs::path& file) -> std::string {
    const auto text = read_text_file(file);
    return text ? said(parse(*text)) : text.error().text();
  };
}

}  // namespace

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {
      {"info", [](const fs::path& file) { return said(read_info_file(file)); }, "file", true},
      {"names", [](const fs::path& file) { return said(read_name_list(file)); }, "file", true},
      {"kernel", [](const fs::path& file) { return said(read_kernel(file.parent_path())); },
       "kernel.info"},
      {"scenarios", [](const fs::path& file) { return said(read_scenarios(file, {})); }},
      {"known_failures",
       [](const fs::path& file) { return said(read_known_failures({file}, {})); }},
      {"causes", [](const fs::path& file) { return said(read_causes(file, {})); }},
      {"upstream_bugs", [](const fs::path& file) { return said(read_upstream_bugs(file)); }},
      {"adapter_info", [](const fs::path& file) { return said(read_adapter_info(file)); }},
      {"result", [](const fs::path& file) { return said(read_result(file)); }},
      {"gate", [](const fs::path& file) { return said(read_gate(file)); }},
      {"watch", [](const fs::path& file) { return said(read_watch(file)); }},
      {"watch_lines", of_text([](const std::string& text) -> Result<void> {
         watch::Told told;
         watch::read_line(text, told);
         if (told.damaged_lines == 0) return {};
         return failure("a damaged line");
       })},
      {"played_sessions", [](const fs::path& file) { return said(gate::read_sessions(file)); }},
      {"matrix", [](const fs::path& file) { return said(read_results(file)); }},
      {"report_sources", [](const fs::path& file) { return said(read_report_sources({file})); }},
      {"google_benchmark",
       of_text([](const std::string& text) { return gate::parse_google_benchmark(text, "file"); })},
      {"google_benchmark_of_a_history", of_text([](const std::string& text) {
         return history::read_google_benchmark({{"file", text}});
       })},
      {"entry", of_text([](const std::string& text) { return parse_entry(text); })},
      {"remote_value", of_text([](const std::string& text) -> Result<Entry> {
         TUNECHECK_TRY(const RemoteRecord record, split_remote_value(text));
         return parse_entry(record.entry);
       })},
      {"bundle",
       [](const fs::path& file) {
         return said(cache::read_bundle(file, file.parent_path() / "cache"));
       }},
      {"table", [](const fs::path& file) { return said(table::read_table(file)); }},
      {"aiter_table",
       of_text([](const std::string& text) { return table::parse_aiter_table(text, "file"); })},
      {"flydsl_table",
       of_text([](const std::string& text) { return table::parse_flydsl_table(text, "file"); })},
      // A line that has no end yet is not read.
      {"evidence",
       [](const fs::path& file) {
         std::uint64_t from = 0;
         return said(read_evidence(file, from));
       },
       "file", true},
      {"spy_settings", [](const fs::path& file) { return said(read_spy_settings(file)); }},
      {"hello", of_text([](const std::string& text) { return protocol::parse_hello(text); })},
      {"request", of_text([](const std::string& text) { return protocol::parse_request(text); })},
      {"answer",
       of_text([](const std::string& text) { return protocol::parse_call_answer(text); })},
      {"answers",
       of_text([](const std::string& text) { return protocol::parse_call_answers(text, 2); })},
      {"archive_answer",
       of_text([](const std::string& text) { return protocol::parse_archive_answer(text); })},
      {"archive_request",
       of_text([](const std::string& text) { return protocol::parse_archive_request(text); })},
      {"isolated_run", of_text([](const std::string& text) { return parse_isolated_run(text); })},
      {"isolated_result",
       of_text([](const std::string& text) { return parse_isolated_result(text); })},
      {"compile_line", of_text([](const std::string& text) { return parse_compile_line(text); })},
      {"compile_outcome", of_text([](const std::string& text) { return parse_outcome(text); })},
  };
  return all;
}

}  // namespace tunecheck::test
