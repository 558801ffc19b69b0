// Where a winner comes from: the caller's own config, the cache, an offline table, the default, a
// search.
#include <gmock/gmock.h>

#include "probe_kernel.hpp"
#include "table/offline_table.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Tiers : public testing::Test {
 protected:
  CallReport call(const TunerOptions& options, std::optional<Config> config = std::nullopt) {
    Tuner tuner(m_backend, options);
    ProbeTensors tensors;
    TuneRequest request = m_folder.request();
    request.config = std::move(config);
    CallReport report = tuner.bind(request).value().call(tensors.arguments()).value();
    m_winner = *report.winner;
    report.winner = nullptr;
    EXPECT_TRUE(tensors.hold_one_launch());
    return report;
  }

  [[nodiscard]] TunerOptions options() const { return quick_options(m_home.path() / "cache"); }
  [[nodiscard]] fs::path table_file() const { return m_home.path() / "tuned.json"; }

  // A table with the config of the space that is neither the winner nor the default.
  Config write_table() {
    TunerOptions writing = quick_options(m_home.path() / "other");
    writing.table_output = table_file();
    call(writing);
    table::OfflineTable table = table::read_table(table_file()).value();
    EXPECT_EQ(table.entries.size(), 1u);
    const TuneRequest request = m_folder.request();
    const auto configs = request.space.enumerate(to_variables(request.sizes)).value();
    const Config chosen = request.kernel.default_for(request.sizes).value();
    for (const Config& config : configs)
      if (config != m_winner && config != chosen) table.entries[0].config = config;
    must(write_file(table_file(), table::to_json_text(table)));
    return table.entries[0].config;
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-tiers-test").value();
  ProbeFolder m_folder;
  FunctionBackend m_backend{run_probe};
  Config m_winner;
};

TEST_F(Tiers, the_callers_config_is_launched_whatever_is_stored_and_is_not_stored) {
  call(options());
  const Config winner = m_winner;
  const TuneRequest request = m_folder.request();
  const auto configs = request.space.enumerate(to_variables(request.sizes)).value();
  for (const Config& config : configs) {
    const CallReport report = call(options(), config);
    EXPECT_EQ(m_winner, config);
    EXPECT_EQ(report.compiles, 1);
    EXPECT_TRUE(report.trials.empty());
  }
  EXPECT_EQ(call(options()).cache, CacheUse::hit);
  EXPECT_EQ(m_winner, winner);
}

TEST_F(Tiers, a_config_of_the_callers_that_is_not_allowed_is_an_error) {
  Tuner tuner(m_backend, options());
  ProbeTensors tensors;
  TuneRequest request = m_folder.request();
  request.config = Config{{"nonsense", 1}};
  const auto report = tuner.bind(request).value().call(tensors.arguments());
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error().text(), HasSubstr("is not one of those allowed"));
}

TEST_F(Tiers, a_table_goes_before_a_search_and_is_not_stored) {
  const Config config = write_table();
  TunerOptions reading = options();
  reading.table_file = table_file();
  const CallReport report = call(reading);
  EXPECT_EQ(report.table, table::Use::exact);
  EXPECT_EQ(report.compiles, 1);
  EXPECT_TRUE(report.trials.empty());
  EXPECT_EQ(m_winner, config);
  EXPECT_THAT(report.message, HasSubstr("the config is the table's, for these sizes"));
  EXPECT_EQ(call(options()).cache, CacheUse::miss) << "it has not won against any other";
  const Config found = m_winner;
  const CallReport again = call(reading);
  EXPECT_EQ(again.cache, CacheUse::hit) << "what was found here goes before the table";
  EXPECT_EQ(again.table, table::Use::none);
  EXPECT_EQ(m_winner, found);
}

TEST_F(Tiers, a_forced_search_asks_no_table) {
  write_table();
  TunerOptions forced = options();
  forced.table_file = table_file();
  forced.search_anew = true;
  EXPECT_EQ(call(forced).table, table::Use::none);
}

TEST_F(Tiers, without_a_cache_folder_a_table_serves_all_the_same) {
  const Config config = write_table();
  TunerOptions reading = quick_options("");
  reading.table_file = table_file();
  const CallReport report = call(reading);
  EXPECT_EQ(report.cache, CacheUse::disabled);
  EXPECT_EQ(report.table, table::Use::exact);
  EXPECT_EQ(m_winner, config);
}

TEST_F(Tiers, a_table_that_cannot_be_used_costs_a_sentence) {
  write_table();
  const std::string whole = read_text_file(table_file()).value();
  TunerOptions reading = options();
  reading.table_file = table_file();
  reading.may_search = false;
  must(write_file(table_file(), whole.substr(0, whole.size() / 2)));
  const CallReport cut = call(reading);
  EXPECT_EQ(cut.table, table::Use::refused);
  EXPECT_THAT(cut.warnings, testing::ElementsAre(HasSubstr("tuned.json:")));
  EXPECT_EQ(cut.compiles, 1);
  EXPECT_TRUE(cut.trials.empty());
  must(write_file(table_file(), whole));
  m_backend.of_device = "another device";
  const CallReport other = call(reading);
  EXPECT_EQ(other.table, table::Use::absent);
  EXPECT_THAT(other.message, HasSubstr("for another device"));
  EXPECT_TRUE(other.warnings.empty());
  fs::remove(table_file());
  EXPECT_EQ(call(reading).table, table::Use::refused);
}

TEST_F(Tiers, a_config_of_a_table_that_does_not_compile_leaves_the_call_to_the_next_tier) {
  const Config config = write_table();
  m_backend.refuses_to_compile = [&](const Config& each) -> std::optional<std::string> {
    if (each == config) return "not on this machine";
    return std::nullopt;
  };
  TunerOptions reading = options();
  reading.table_file = table_file();
  reading.may_search = false;
  const CallReport report = call(reading);
  EXPECT_EQ(report.table, table::Use::refused);
  EXPECT_EQ(report.compiles, 2);
  EXPECT_NE(m_winner, config);
}

TEST_F(Tiers, a_config_of_a_table_that_does_not_compile_is_compiled_once) {
  const Config config = write_table();
  int tried = 0;
  m_backend.refuses_to_compile = [&](const Config& each) -> std::optional<std::string> {
    if (each != config) return std::nullopt;
    ++tried;
    return "not on this machine";
  };
  TunerOptions reading = options();
  reading.table_file = table_file();
  const CallReport report = call(reading);
  EXPECT_EQ(report.table, table::Use::refused);
  EXPECT_EQ(tried, 1);
  EXPECT_EQ(report.compiles, static_cast<std::int64_t>(report.trials.size()));
  const auto failed = std::find_if(report.trials.begin(), report.trials.end(),
                                   [&](const Trial& trial) { return trial.config == config; });
  ASSERT_NE(failed, report.trials.end()) << "it is one of those that were tried all the same";
  EXPECT_THAT(failed->failure, HasSubstr("not on this machine"));
}

TEST_F(Tiers, a_default_goes_before_a_search_where_that_is_said) {
  TunerOptions last = options();
  last.search_last = true;
  const CallReport report = call(last);
  EXPECT_TRUE(report.trials.empty());
  EXPECT_EQ(report.compiles, 1);
  const TuneRequest request = m_folder.request();
  EXPECT_EQ(m_winner, request.kernel.default_for(request.sizes).value());
  EXPECT_EQ(call(options()).cache, CacheUse::miss) << "the default is not stored";
}

// Whoever may not search does not wait for somebody who does.
TEST_F(Tiers, without_a_search_nobody_waits_for_one) {
  TunerOptions unsearching = options();
  unsearching.may_search = false;
  TunerParts parts = TunerParts::standard();
  int locks = 0;
  class Counting : public FolderStore {
   public:
    Counting(const fs::path& folder, int& count) : FolderStore(folder), m_count(count) {}
    std::unique_ptr<StoreLock> lock(const Key& key) override {
      ++m_count;
      return FolderStore::lock(key);
    }

   private:
    int& m_count;
  };
  parts.make_store = [&](const TunerOptions& given) {
    return std::make_unique<Counting>(given.cache_folder, locks);
  };
  Tuner tuner(m_backend, unsearching, parts);
  ProbeTensors tensors;
  EXPECT_TRUE(tuner.bind(m_folder.request()).value().call(tensors.arguments()));
  EXPECT_EQ(locks, 0);
}

}  // namespace
}  // namespace tunecheck::test
