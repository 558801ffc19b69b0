// Mutants whose key has an axis too few or too many: a winner is stored, one thing changes, and
// another process asks.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

// What changes between the two calls.
struct Change {
  std::function<void(Toy&)> make;
  bool misaligned = false;
  bool swapped = false;
  std::map<std::string, double> scalars = {};
};

// A variable that is gone at the end of the test.
struct Variable {
  Variable(const char* variable, const char* value) : name(variable) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  const char* name;
};

// Another value at each call.
void change(const char* variable) {
  static int value = 1;
  ::setenv(variable, std::to_string(++value).c_str(), 1);
}

CallReport second_report(const std::string& mutant, const Change& what) {
  Toy toy;
  const ToyCall first = call_once(toy, mutant);
  EXPECT_TRUE(first.report);
  if (what.make) what.make(toy);
  ToyCall second = ToyProcess(toy, mutant).call(what.misaligned, what.swapped, what.scalars);
  EXPECT_TRUE(second.report) << second.report.error().text();
  return second.report.value_or(CallReport());
}

void expect_stale_winner_only_with(const std::string& mutant, const std::string& axis,
                                   const Change& what) {
  const CallReport truth = second_report("", what);
  EXPECT_EQ(truth.cache, CacheUse::miss) << mutant;
  EXPECT_THAT(truth.missed_axes, ::testing::Contains(axis));
  EXPECT_EQ(second_report(mutant, what).cache, CacheUse::hit) << mutant;
}

void expect_needless_miss_only_with(const std::string& mutant, const Change& what) {
  EXPECT_EQ(second_report("", what).cache, CacheUse::hit) << mutant;
  EXPECT_EQ(second_report(mutant, what).cache, CacheUse::miss) << mutant;
}

TEST(KeyMutants, lack_their_axis) {
  expect_stale_winner_only_with("key_without_stride", "strides",
                                {[](Toy& toy) { toy.stride = 2; }});
  expect_stale_winner_only_with("key_without_alignment", "alignment",
                                {.make = nullptr, .misaligned = true});
  expect_stale_winner_only_with("key_without_arch", "arch",
                                {[](Toy& toy) { toy.request.arch = "toy2"; }});
  expect_stale_winner_only_with("key_without_toolchain", "toolchain",
                                {[](Toy& toy) { toy.backend.toolchain = "toolchain 2"; }});
  expect_stale_winner_only_with("key_without_source", "source",
                                {[](Toy& toy) { toy.backend.source = "int h();\n"; }});
  expect_stale_winner_only_with("key_without_header", "headers",
                                {[](Toy& toy) { toy.backend.header = "int h();\n"; }});
  expect_stale_winner_only_with("key_without_options", "options",
                                {[](Toy& toy) { toy.request.compile_options = {"-O3"}; }});
  expect_stale_winner_only_with("key_without_space", "space", {[](Toy& toy) {
                                  toy.set_space({right}, {200, 100, 50});
                                }});
  expect_stale_winner_only_with("key_without_dtype", "dtype",
                                {[](Toy& toy) { toy.dtype = DType::f64; }});
  expect_stale_winner_only_with("key_without_scalars", "scalars",
                                {.make = nullptr, .scalars = {{"decides", 2}}});
  expect_stale_winner_only_with("key_without_signature", "signature", {[](Toy& toy) {
                                  toy.request.kernel.scalars.at(1).dtype = DType::f64;
                                }});
  expect_stale_winner_only_with("key_without_shape", "shape",
                                {[](Toy& toy) { toy.elements = 128; }});
}

TEST(KeyMutants, key_without_environment_ignores_a_variable_that_matters) {
  const Variable before("TUNECHECK_TOY_VARIABLE", "1");
  expect_stale_winner_only_with("key_without_environment", "environment",
                                {[](Toy&) { change("TUNECHECK_TOY_VARIABLE"); }});
}

// The second call's value is near the first one's; what the true tuner does is in each case a miss.
TEST(KeyMutants, take_near_values_for_the_same) {
  expect_stale_winner_only_with("key_with_outer_strides", "strides",
                                {[](Toy& toy) { toy.stride = 2; }});
  expect_stale_winner_only_with("key_with_rounded_scalars", "scalars",
                                {.make = nullptr, .scalars = {{"decides", 1.00001}}});
  for (const std::string& mutant : both("key_with_version_text")) {
    Toy toy;
    toy.backend.toolchain = "gcc 12 [1]";
    ASSERT_TRUE(call_once(toy, mutant).report);
    toy.backend.toolchain = "gcc 12 [2]";
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::miss : CacheUse::hit);
  }
  const auto options = [](Toy& toy, const std::vector<std::string>& all) {
    toy.request.compile_options = all;
  };
  for (const std::string& mutant : both("key_with_sorted_options")) {
    Toy toy;
    options(toy, {"-DA", "-UA"});
    ASSERT_TRUE(call_once(toy, mutant).report);
    options(toy, {"-UA", "-DA"});
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::miss : CacheUse::hit);
  }
}

TEST(KeyMutants, have_an_axis_too_many) {
  expect_needless_miss_only_with("key_with_argument_order", {.make = nullptr, .swapped = true});
  expect_needless_miss_only_with(
      "key_with_comments", {[](Toy& toy) { toy.backend.source = "int f();  // the same\n"; }});
  expect_needless_miss_only_with(
      "key_with_comments", {[](Toy& toy) { toy.backend.header = "/* the same */ int g();\n"; }});
  expect_needless_miss_only_with("key_with_space_order", {[](Toy& toy) {
                                   toy.set_space({right}, {100, 200});
                                 }});
  expect_needless_miss_only_with("key_with_cache_folder", {[](Toy& toy) {
                                   const auto moved = toy.temporary.path() / "moved";
                                   std::filesystem::rename(toy.options.cache_folder, moved);
                                   toy.options.cache_folder = moved;
                                 }});
  expect_needless_miss_only_with("key_with_search_budget", {[](Toy& toy) {
                                   toy.request.search = SearchOptions{};
                                   toy.request.search->trials = 1;
                                 }});
  const Variable unrelated("TUNECHECK_UNRELATED", "1");
  expect_needless_miss_only_with("key_with_all_environment",
                                 {[](Toy&) { change("TUNECHECK_UNRELATED"); }});
}

TEST(KeyMutants, key_with_exact_strides_tells_two_strides_of_one_pattern_apart) {
  for (const std::string mutant : {"", "key_with_exact_strides"}) {
    Toy toy;
    toy.stride = 2;
    ASSERT_TRUE(call_once(toy, mutant).report);
    toy.stride = 3;
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::hit : CacheUse::miss);
  }
}

TEST(KeyMutants, key_joins_options_takes_two_lists_for_one) {
  for (const std::string mutant : {"", "key_joins_options"}) {
    Toy toy;
    toy.request.compile_options = {"-DA=1", "-DB"};
    ASSERT_TRUE(call_once(toy, mutant).report);
    toy.request.compile_options = {"-DA=1-DB"};
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::miss : CacheUse::hit);
  }
}

TEST(KeyMutants, key_by_place_takes_two_arguments_for_one_that_changed_places) {
  Toy toy;
  const auto roles = tensor_roles(toy.request.kernel);
  const std::vector<std::int64_t> shape = {64}, step = {2};
  const Layout wide = Layout::strided(shape, step), narrow = Layout::contiguous(shape);
  const BoundFacts facts{"", std::string(), {}, {}, {}};
  // The strides of (x, y) as the axis has them where the caller names x first, or y.
  const auto axis_of = [&](const std::string& mutant, const Layout& x, const Layout& y,
                           const std::vector<int>& order) {
    ReferenceAdapterSetup setup;
    if (!mutant.empty()) find_mutant(mutant)->plant(setup);
    const std::vector<TensorView> views = {{nullptr, DType::f32, x}, {nullptr, DType::f32, y}};
    const CallArguments call{roles, {views, {}}, order};
    const KeyContext context{toy.backend, toy.request, toy.options, facts, &call};
    const auto axis = std::find_if(setup.parts.key_axes.begin(), setup.parts.key_axes.end(),
                                   [](const KeyAxis& each) { return each.name == "strides"; });
    return axis->collect(context).value();
  };
  for (const std::string mutant : {"", "key_by_place"})
    EXPECT_EQ(axis_of(mutant, wide, narrow, {0, 1}) == axis_of(mutant, narrow, wide, {1, 0}),
              !mutant.empty());
}

TEST(KeyMutants, unknown_toolchain_must_agree_knows_no_unknown_axis) {
  for (const std::string mutant : {"", "unknown_toolchain_must_agree"}) {
    ReferenceAdapterSetup setup;
    if (!mutant.empty()) find_mutant(mutant)->plant(setup);
    EXPECT_EQ(std::any_of(setup.parts.key_axes.begin(), setup.parts.key_axes.end(),
                          [](const KeyAxis& axis) { return axis.may_be_unknown; }),
              mutant.empty());
  }
}

TEST(KeyMutants, key_with_call_number_misses_its_own_winner) {
  for (const std::string mutant : {"", "key_with_call_number"}) {
    Toy toy;
    ToyProcess process(toy, mutant);
    ASSERT_TRUE(process.call().report);
    EXPECT_EQ(process.call().report->cache, mutant.empty() ? CacheUse::hit : CacheUse::miss);
  }
}

TEST(KeyMutants, key_with_process_holds_this_process) {
  ReferenceAdapterSetup setup;
  find_mutant("key_with_process")->plant(setup);
  EXPECT_EQ(setup.parts.key_axes.size(), standard_key_axes().size() + 1);
  EXPECT_EQ(setup.parts.key_axes.back().name, "process");
}

TEST(KeyMutants, winner_by_index_takes_whatever_stands_at_the_position) {
  for (const std::string mutant : {"", "winner_by_index"}) {
    Toy toy;
    EXPECT_EQ(call_once(toy, mutant).winner.at("time"), 100);
    const int compiled = toy.backend.compiles();
    const ToyCall again = call_once(toy, mutant);
    EXPECT_EQ(again.report->cache, CacheUse::hit);
    EXPECT_EQ(again.winner.at("time"), 100);
    EXPECT_EQ(toy.backend.compiles(), compiled) << "the list is the same";
    toy.set_space({right}, {100, 300, 400});
    const ToyCall changed = call_once(toy, mutant);
    ASSERT_TRUE(changed.report) << changed.report.error().text();
    EXPECT_EQ(changed.winner.at("time"), mutant.empty() ? 100 : 300);
    EXPECT_EQ(changed.report->cache, mutant.empty() ? CacheUse::miss : CacheUse::hit);
    EXPECT_EQ(changed.y, expected_result(toy));
  }
}

TEST(KeyMutants, key_with_direct_headers_overlooks_a_header_of_a_header) {
  for (const bool is_direct : {false, true})
    for (const std::string& mutant : both("key_with_direct_headers")) {
      Toy toy;
      toy.backend.source = is_direct ? "#include \"toy.h\"\n" : "#include \"other.h\"\n";
      ASSERT_TRUE(call_once(toy, mutant).report);
      toy.backend.header = "int changed();\n";
      EXPECT_EQ(call_once(toy, mutant).report->cache,
                mutant.empty() || is_direct ? CacheUse::miss : CacheUse::hit);
    }
}

TEST(KeyMutants, key_with_variables_of_the_backend_overlooks_one_of_the_kernel) {
  for (const std::string& mutant : both("key_with_variables_of_the_backend")) {
    Toy toy;
    toy.request.kernel.environment = {"TUNECHECK_KERNEL_VARIABLE"};
    ASSERT_TRUE(call_once(toy, mutant).report);
    ::setenv("TUNECHECK_KERNEL_VARIABLE", "1", 1);
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::miss : CacheUse::hit);
    ::unsetenv("TUNECHECK_KERNEL_VARIABLE");
    ::setenv("TUNECHECK_TOY_VARIABLE", "1", 1);
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::miss);
    ::unsetenv("TUNECHECK_TOY_VARIABLE");
  }
}

TEST(KeyMutants, key_with_absolute_strides_takes_a_reversed_tensor_for_a_plain_one) {
  const Toy toy;
  const auto roles = tensor_roles(toy.request.kernel);
  const BoundFacts facts{"", std::string(), {}, {}, {}};
  const auto axis_with = [&](const std::string& mutant, std::int64_t stride) {
    ReferenceAdapterSetup setup;
    if (!mutant.empty()) find_mutant(mutant)->plant(setup);
    const std::vector<std::int64_t> shape = {64};
    const Layout layout = Layout::strided(shape, std::span(&stride, 1));
    const std::vector<TensorView> views = {{nullptr, DType::f32, layout},
                                           {nullptr, DType::f32, layout}};
    const std::vector<int> order = {0, 1};
    const CallArguments call{roles, {views, {}}, order};
    const KeyContext context{toy.backend, toy.request, toy.options, facts, &call};
    const auto axis = std::find_if(setup.parts.key_axes.begin(), setup.parts.key_axes.end(),
                                   [](const KeyAxis& each) { return each.name == "strides"; });
    return axis->collect(context).value();
  };
  for (const std::string& mutant : both("key_with_absolute_strides")) {
    EXPECT_EQ(axis_with(mutant, 1) == axis_with(mutant, -1), !mutant.empty());
    EXPECT_NE(axis_with(mutant, 1), axis_with(mutant, 2));
  }
}

TEST(KeyMutants, key_counts_large_spaces_and_not_small_ones) {
  for (const std::int64_t count : {10, 1001})
    for (const std::string& mutant : both("key_counts_large_spaces")) {
      Toy toy;
      toy.request.search = SearchOptions{.strategy = SearchStrategy::random, .trials = 1};
      std::vector<std::int64_t> times;
      for (std::int64_t time = 0; time < count; ++time)
        times.push_back(100 + time);
      toy.set_space({right}, times);
      ASSERT_TRUE(call_once(toy, mutant).report);
      times.back() += 1;
      toy.set_space({right}, times);
      EXPECT_EQ(call_once(toy, mutant).report->cache,
                mutant.empty() || count < 1000 ? CacheUse::miss : CacheUse::hit);
    }
}

}  // namespace
}  // namespace tunecheck::test
