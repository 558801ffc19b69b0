// How much is searched, what becomes of a winner that was searched with less, and callers who do
// not wait for one.
#include "tuner/search/effort.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe_kernel.hpp"
#include "tuner/compile_jobs.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::test {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsSupersetOf;

SearchOptions of(Effort effort) {
  SearchOptions options;
  options.effort = effort;
  return options;
}

TEST(Effort, comes_to_a_strategy_and_a_number_of_trials) {
  EXPECT_EQ(without_effort(of(Effort::minimal), 100).trials, 4);
  EXPECT_EQ(without_effort(of(Effort::minimal), 100).strategy, SearchStrategy::random);
  EXPECT_EQ(without_effort(of(Effort::balanced), 100).trials, 32);
  EXPECT_EQ(without_effort(of(Effort::balanced), 100).strategy, SearchStrategy::successive_halving);
  EXPECT_EQ(without_effort(of(Effort::extensive), 100).strategy, SearchStrategy::exhaustive);
  EXPECT_EQ(without_effort(of(Effort::full), 1000).trials, 0);
  SearchOptions limited = of(Effort::full);
  limited.trials = 7;
  EXPECT_EQ(without_effort(limited, 1000).trials, 7);
}

TEST(Effort, has_words) {
  for (const Effort effort : {Effort::minimal, Effort::balanced, Effort::extensive, Effort::full}) {
    EXPECT_EQ(parse_effort(name_of(effort)), effort);
    EXPECT_THAT(effort_words(), HasSubstr(std::string(name_of(effort))));
  }
  EXPECT_FALSE(parse_effort("quick"));
}

TEST(Effort, less_tries_a_part_of_what_more_tries) {
  std::vector<Config> configs;
  for (int i = 0; i < 500; ++i)
    configs.push_back({{"block", i}});
  std::vector<std::size_t> less;
  for (const Effort effort : {Effort::minimal, Effort::balanced, Effort::extensive, Effort::full}) {
    const SearchOptions options = of(effort);
    const auto search = make_search({options, configs, std::size_t{250}});
    std::vector<std::size_t> proposed;
    const std::vector<Trial> trials(configs.size());
    for (Proposal next = search->next(trials); !next.configs.empty(); next = search->next(trials))
      proposed.insert(proposed.end(), next.configs.begin(), next.configs.end());
    EXPECT_THAT(proposed, IsSupersetOf(less)) << name_of(effort);
    EXPECT_GT(proposed.size(), less.size());
    less = proposed;
  }
}

TEST(Effort, a_winner_is_enough_where_as_much_was_tried_or_nothing_is_left) {
  const auto tried = [](std::int64_t configs, milliseconds time = milliseconds(0)) {
    return SearchedWith{configs, time, ""};
  };
  EXPECT_TRUE(is_enough(tried(4), of(Effort::minimal), 100));
  EXPECT_FALSE(is_enough(tried(4), of(Effort::balanced), 100));
  EXPECT_FALSE(is_enough(tried(99), of(Effort::full), 100));
  EXPECT_TRUE(is_enough(tried(100), of(Effort::full), 100));
  EXPECT_TRUE(is_enough(tried(3), of(Effort::minimal), 3));
  SearchOptions timed{SearchStrategy::random, 0, milliseconds(20)};
  EXPECT_FALSE(is_enough(tried(50, milliseconds(19)), timed, 100));
  EXPECT_TRUE(is_enough(tried(50, milliseconds(20)), timed, 100));
  timed.trials = 50;  // whichever comes first ends the search
  EXPECT_TRUE(is_enough(tried(50), timed, 100));
  EXPECT_TRUE(is_enough(tried(1), {SearchStrategy::coordinate_descent}, 100));
}

TEST(Effort, times_are_believed_where_the_winner_is_as_fast_as_before) {
  const auto timed = [](double median_ns) { return Trial{{}, "", median_ns, 0, 0, 7}; };
  EXPECT_TRUE(is_as_fast(timed(100), timed(107)));
  EXPECT_TRUE(is_as_fast(timed(107), timed(100)));
  EXPECT_FALSE(is_as_fast(timed(100), timed(110)));
  EXPECT_FALSE(is_as_fast(timed(110), timed(100)));
  EXPECT_FALSE(is_as_fast(timed(100), Trial{{}, "signal 11", 0, 0, 0, 0}));
}

TEST(CompileJobs, are_bounded_by_cores_and_memory) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  EXPECT_EQ(compile_jobs_for(64, 8, 100 * gib, gib), 8);
  EXPECT_EQ(compile_jobs_for(64, 8, 3 * gib, gib), 3);
  EXPECT_EQ(compile_jobs_for(4, 8, 100 * gib, gib), 4);
  EXPECT_EQ(compile_jobs_for(64, 1, 100 * gib, gib), 2);
  EXPECT_EQ(compile_jobs_for(64, 8, gib / 2, gib), 1);
  EXPECT_EQ(compile_jobs_for(64, 8, 0, 0), 8);
  EXPECT_EQ(bounded_compile_jobs(1, gib), 1);
  EXPECT_EQ(bounded_compile_jobs(0, 0), bounded_compile_jobs(1000, 0));
  EXPECT_EQ(bounded_compile_jobs(-1, 0), 1);
  EXPECT_LE(bounded_compile_jobs(1000, 0),
            std::max(2, static_cast<int>(std::thread::hardware_concurrency())));
}

// The probe kernel in a space of sixteen, of which block 8 with vec 4 is the fastest one.
class SearchedOn : public testing::Test {
 protected:
  SearchedOn() {
    m_folder.edit("block \"1 2\"", "block \"1 2 3 4 5 6 7 8\"");
    m_backend.elapsed_ns = [this](const Config& config) {
      if (m_holds) std::this_thread::sleep_for(milliseconds(1));
      return m_slowdown * (1000 + 400 * (8 - config.at("block")) + 100 * (4 - config.at("vec")));
    };
  }

  CallReport call(std::optional<SearchOptions> search) {
    const ProbeTensors tensors;
    TuneRequest request = m_folder.request();
    request.search = std::move(search);
    Tuner tuner(m_backend, quick_options(m_cache.path()));
    CallReport report = tuner.bind(request).value().call(tensors.arguments()).value();
    m_winner = *report.winner;
    report.winner = nullptr;
    EXPECT_TRUE(tensors.hold_one_launch());
    return report;
  }

  Entry stored() {
    const FolderStore store(m_cache.path());
    for (const auto& file : std::filesystem::recursive_directory_iterator(m_cache.path()))
      if (file.path().extension() == ".json") return store.examine(file.path()).entry;
    return {};
  }

  ProbeFolder m_folder;
  FunctionBackend m_backend{run_probe};
  TemporaryFolder m_cache = TemporaryFolder::create("tunecheck-effort").value();
  std::atomic<int> m_slowdown{1};
  std::atomic<bool> m_holds{false};
  Config m_winner;
};

const Config best = {{"block", 8}, {"vec", 4}};

TEST_F(SearchedOn, more_effort_misses_and_less_hits) {
  EXPECT_EQ(call(of(Effort::minimal)).cache, CacheUse::miss);
  EXPECT_EQ(stored().searched.configs, 4);
  EXPECT_EQ(stored().searched.words, "minimal");
  EXPECT_EQ(call(of(Effort::minimal)).cache, CacheUse::hit);
  EXPECT_EQ(call(std::nullopt).cache, CacheUse::hit);
  const CallReport larger = call(of(Effort::full));
  EXPECT_EQ(larger.cache, CacheUse::miss);
  EXPECT_THAT(larger.message, HasSubstr("4 of 16 configs, and this call asks for more (full)"));
  EXPECT_EQ(m_winner, best);
  EXPECT_EQ(stored().searched.configs, 16);
  for (const Effort effort : {Effort::minimal, Effort::balanced, Effort::full}) {
    EXPECT_EQ(call(of(effort)).cache, CacheUse::hit) << name_of(effort);
    EXPECT_EQ(m_winner, best);
  }
}

TEST_F(SearchedOn, a_larger_search_compiles_what_was_not_tried_or_may_win) {
  (void)call(of(Effort::minimal));
  const int before = m_backend.compiles();
  const CallReport larger = call(of(Effort::full));
  EXPECT_EQ(larger.trials.size(), 16U);
  EXPECT_LT(m_backend.compiles() - before, 16);
  EXPECT_THAT(larger.message, HasSubstr("had been measured by the earlier search"));
}

TEST_F(SearchedOn, times_of_a_slower_machine_are_not_believed) {
  (void)call(of(Effort::minimal));
  const int before = m_backend.compiles();
  m_slowdown = 2;
  (void)call(of(Effort::full));
  EXPECT_EQ(m_backend.compiles() - before, 16);
  EXPECT_EQ(m_winner, best);
}

TEST_F(SearchedOn, a_budget_of_trials_is_effort_too) {
  const SearchOptions three{SearchStrategy::random, 3};
  const SearchOptions five{SearchStrategy::random, 5};
  EXPECT_EQ(call(three).cache, CacheUse::miss);
  EXPECT_EQ(call(five).cache, CacheUse::miss);
  EXPECT_EQ(call(three).cache, CacheUse::hit);
  EXPECT_EQ(call(five).cache, CacheUse::hit);
}

TEST_F(SearchedOn, the_winner_of_less_is_used_where_the_search_cannot_go_on) {
  (void)call(of(Effort::minimal));
  const Config first = m_winner;
  m_backend.refuses_to_compile = [](const Config&) { return std::optional<std::string>("no"); };
  const CallReport report = call(of(Effort::full));
  EXPECT_EQ(report.cache, CacheUse::hit);
  EXPECT_EQ(m_winner, first);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0], HasSubstr("the search could not go on"));
  for (const char* const said : {"the search goes on", "the search could not go on"}) {
    const std::size_t first = report.message.find(said);
    EXPECT_NE(first, report.message.npos) << report.message;
    EXPECT_EQ(first, report.message.rfind(said)) << report.message;
  }
}

TEST_F(SearchedOn, one_tuner_raises_the_winner_that_it_has_in_memory) {
  Tuner tuner(m_backend, quick_options(""));
  TuneRequest request = m_folder.request();
  request.search = of(Effort::minimal);
  TunedKernel less = tuner.bind(request).value();
  request.search = of(Effort::full);
  TunedKernel more = tuner.bind(request).value();
  const ProbeTensors tensors;
  (void)less.call(tensors.arguments()).value();
  EXPECT_EQ(more.call(tensors.arguments()).value().cache, CacheUse::disabled);
  EXPECT_EQ(*more.call(tensors.arguments()).value().winner, best);
  EXPECT_EQ(tuner.bind(request).value().call(tensors.arguments()).value().cache, CacheUse::hit);
}

class Meanwhile : public SearchedOn {
 protected:
  TunerOptions options() const {
    TunerOptions options = quick_options(m_cache.path());
    options.may_wait = false;
    return options;
  }

  // The first report whose call was a hit; each call's result must be right.
  static CallReport call_until_hit(TunedKernel& kernel) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      ProbeTensors tensors;
      CallReport report = kernel.call(tensors.arguments()).value();
      EXPECT_TRUE(tensors.hold_one_launch());
      if (report.cache == CacheUse::hit || std::chrono::steady_clock::now() > end) return report;
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
};

TEST_F(Meanwhile, nothing_is_said_to_be_searched_for_where_nobody_may_search) {
  TunerOptions unsearching = options();
  unsearching.may_search = false;
  Tuner tuner(m_backend, unsearching);
  ProbeTensors tensors;
  const CallReport report =
      tuner.bind(m_folder.request()).value().call(tensors.arguments()).value();
  EXPECT_THAT(report.message, HasSubstr("searching is switched off, so that the default config"));
  EXPECT_THAT(report.message, testing::Not(HasSubstr("searched for")));
}

TEST_F(Meanwhile, callers_get_the_default_and_later_the_winner) {
  m_holds = true;
  Tuner tuner(m_backend, options());
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  ProbeTensors tensors;
  const CallReport first = kernel.call(tensors.arguments()).value();
  EXPECT_EQ(first.cache, CacheUse::pending);
  EXPECT_EQ(first.compiles, 1);
  EXPECT_TRUE(first.trials.empty());
  EXPECT_EQ(*first.winner, m_folder.request().kernel.default_for(m_folder.request().sizes).value());
  EXPECT_EQ(first.given_meanwhile, 1);
  EXPECT_TRUE(tensors.hold_one_launch());
  const CallReport later = call_until_hit(kernel);
  EXPECT_EQ(later.cache, CacheUse::hit);
  EXPECT_EQ(*later.winner, best);
  EXPECT_GE(later.given_meanwhile, 1);
  EXPECT_EQ(stored().winner, best);
  EXPECT_EQ(stored().searched.configs, 16);
}

TEST_F(Meanwhile, the_default_is_compiled_once) {
  Tuner tuner(m_backend, options());
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  EXPECT_EQ(call_until_hit(kernel).cache, CacheUse::hit);
  EXPECT_EQ(m_backend.compiles(), 16);
}

TEST_F(Meanwhile, one_kernel_may_wait_where_the_others_do_not) {
  Tuner tuner(m_backend, options());
  TuneRequest request = m_folder.request();
  request.may_wait = true;
  TunedKernel kernel = tuner.bind(std::move(request)).value();
  ProbeTensors tensors;
  EXPECT_EQ(kernel.call(tensors.arguments()).value().cache, CacheUse::miss);
}

TEST_F(Meanwhile, without_a_default_a_call_that_does_not_wait_says_why_it_has_nothing) {
  Tuner tuner(m_backend, options());
  TuneRequest request = m_folder.request();
  request.kernel.default_config.clear();
  TunedKernel kernel = tuner.bind(std::move(request)).value();
  ProbeTensors tensors;
  const auto refused = kernel.call(tensors.arguments());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("and the call does not wait for a search"));
}

TEST_F(Meanwhile, a_winner_that_cannot_be_stored_is_told_to_whoever_gets_it) {
  TunerParts parts = TunerParts::standard();
  class Full : public FolderStore {
   public:
    using FolderStore::FolderStore;
    Result<void> put(const Entry& /*entry*/, const Artifact& /*artifact*/) override {
      return failure("No space left on device");
    }
  };
  parts.make_store = [](const TunerOptions& given) {
    return std::make_unique<Full>(given.cache_folder);
  };
  Tuner tuner(m_backend, options(), parts);
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  const CallReport report = call_until_hit(kernel);
  EXPECT_EQ(report.cache, CacheUse::hit);
  EXPECT_EQ(report.search_failure, "");
  EXPECT_THAT(report.message, testing::HasSubstr("No space left on device"));
}

TEST_F(Meanwhile, a_winner_of_less_effort_stands_in_for_a_better_one) {
  (void)call(of(Effort::minimal));
  const Config less = m_winner;
  m_holds = true;
  Tuner tuner(m_backend, options());
  TuneRequest request = m_folder.request();
  request.search = of(Effort::full);
  TunedKernel kernel = tuner.bind(request).value();
  const ProbeTensors tensors;
  const CallReport first = kernel.call(tensors.arguments()).value();
  EXPECT_EQ(first.cache, CacheUse::unchecked);
  EXPECT_EQ(*first.winner, less);
  EXPECT_EQ(first.compiles, 0);
  EXPECT_EQ(*call_until_hit(kernel).winner, best);
}

TEST_F(Meanwhile, a_stored_winner_is_a_hit_at_once) {
  (void)call(std::nullopt);
  const int compiles = m_backend.compiles();
  Tuner tuner(m_backend, options());
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  const ProbeTensors tensors;
  EXPECT_EQ(kernel.call(tensors.arguments()).value().cache, CacheUse::hit);
  EXPECT_EQ(m_backend.compiles(), compiles);
}

TEST_F(Meanwhile, threads_begin_one_search) {
  Tuner tuner(m_backend, options());
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { (void)call_until_hit(kernel); });
  }
  EXPECT_EQ(m_backend.compiles(), 16);  // the default config once, also for those who do not wait
}

TEST_F(Meanwhile, the_end_of_the_kernel_ends_its_search_and_leaves_what_was_measured) {
  m_holds = true;
  {
    Tuner tuner(m_backend, options());
    TunedKernel kernel = tuner.bind(m_folder.request()).value();
    const ProbeTensors tensors;
    (void)kernel.call(tensors.arguments()).value();
  }
  EXPECT_TRUE(stored().winner.empty());
  EXPECT_EQ(call(std::nullopt).cache, CacheUse::miss);
  EXPECT_EQ(m_winner, best);
}

TEST_F(Meanwhile, a_search_that_fails_is_told_to_later_calls) {
  const Config chosen = m_folder.request().kernel.default_for(m_folder.request().sizes).value();
  FunctionBackend backend(
      [&, forked = ::getpid()](const Config& config, const LaunchArguments& arguments) {
        return ::getpid() == forked ? run_probe(config, arguments) : 1;
      });
  Tuner tuner(backend, options());
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  CallReport report;
  while (report.warnings.empty() && std::chrono::steady_clock::now() < end) {
    const ProbeTensors tensors;
    report = kernel.call(tensors.arguments()).value();
    EXPECT_EQ(report.cache, CacheUse::pending);
    EXPECT_EQ(*report.winner, chosen);
  }
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_THAT(report.warnings[0], HasSubstr("can be used"));
}

}  // namespace
}  // namespace tunecheck::test
