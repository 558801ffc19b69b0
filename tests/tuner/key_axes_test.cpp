// Every axis of the key in both directions, through whole calls: what must be tuned again, and what
// must not.
#include "tuner/key/key_axes.hpp"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

using Names = std::vector<std::string>;

// Sets a variable as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : m_name(name) { ::setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(m_name); }

 private:
  const char* m_name;
};

class KeyAxes : public testing::Test {
 protected:
  // The report of a fresh tuner on the cache folder that all calls of a test share.
  CallReport call(const TuneRequest& request, const ProbeTensors& tensors) {
    return fresh_call(backend, request, tensors, m_cache.path()).value();
  }
  CallReport call(const ProbeTensors& tensors = ProbeTensors()) {
    return call(folder.request(), tensors);
  }
  void expect_hit(const CallReport& report) {
    EXPECT_EQ(report.cache, CacheUse::hit) << report.message;
    EXPECT_EQ(report.compiles, 0);
  }
  void expect_miss(const CallReport& report, const Names& axes) {
    EXPECT_EQ(report.cache, CacheUse::miss);
    EXPECT_EQ(report.missed_axes, axes);
    EXPECT_GT(report.compiles, 0);
    for (const std::string& axis : axes)
      EXPECT_NE(report.message.find(axis), std::string::npos) << report.message;
  }
  void SetUp() override { EXPECT_EQ(call().cache, CacheUse::miss); }

  FunctionBackend backend{run_probe};
  ProbeFolder folder;

  TemporaryFolder m_cache = TemporaryFolder::create("tunecheck-cache").value();
};

TEST_F(KeyAxes, the_same_call_hits) {
  expect_hit(call());
}

TEST_F(KeyAxes, other_contents_hit) {
  ProbeTensors tensors;
  from_doubles(std::vector<double>(ProbeTensors::size, 7), tensors.views()[0]);
  expect_hit(call(tensors));
}

TEST_F(KeyAxes, another_stride_pattern_misses_and_another_stride_of_the_same_pattern_hits) {
  expect_miss(call(ProbeTensors(2)), {"strides"});
  expect_hit(call(ProbeTensors(3)));
  const ProbeTensors tensors;
  std::vector<TensorView> views = tensors.views();
  views[0].layout.strides[0] = 0;  // x, which is only read
  Tuner tuner(backend, quick_options(m_cache.path()));
  const LaunchArguments arguments{views, tensors.arguments().scalars};
  expect_miss(tuner.bind(folder.request()).value().call(arguments).value(), {"strides"});
}

TEST_F(KeyAxes, alignment_is_16_bytes_or_not) {
  expect_miss(call(ProbeTensors(1, 4)), {"alignment"});
  expect_hit(call(ProbeTensors(1, 8)));
  expect_hit(call(ProbeTensors(1, 16)));
}

TEST_F(KeyAxes, another_dtype_misses) {
  expect_miss(call(ProbeTensors(1, 0, DType::f64)), {"dtype"});
}

TEST_F(KeyAxes, another_shape_misses) {
  TuneRequest request = folder.request();
  request.sizes["n"] = ProbeTensors::size / 2;
  const ProbeTensors tensors;
  const std::int64_t half[] = {ProbeTensors::size / 2};
  std::vector<TensorView> views = tensors.views();
  for (TensorView& view : views)
    view.layout = Layout::contiguous(half);
  Tuner tuner(backend, quick_options(m_cache.path()));
  const LaunchArguments arguments{views, tensors.arguments().scalars};
  EXPECT_FALSE(tuner.bind(folder.request()).value().call(arguments).has_value());
  expect_miss(tuner.bind(request).value().call(arguments).value(), {"shape"});
}

TEST_F(KeyAxes, a_key_scalar_misses_and_another_scalar_hits) {
  ProbeTensors tensors;
  tensors.set_beta(5);
  expect_hit(call(tensors));
  tensors.set_alpha(3);
  expect_miss(call(tensors), {"scalars"});
}

TEST_F(KeyAxes, another_arch_misses_and_the_default_by_its_name_hits) {
  TuneRequest request = folder.request();
  request.arch = "plain";
  expect_hit(call(request, ProbeTensors()));
  request.arch = "fancy";
  expect_miss(call(request, ProbeTensors()), {"arch"});
}

TEST_F(KeyAxes, another_device_of_the_same_arch_misses) {
  backend.of_device = "a card, 64 multiprocessors, warps of 64";
  expect_miss(call(), {"arch"});
  expect_hit(call());
  backend.of_device = "a card, 64 multiprocessors, warps of 32";
  expect_miss(call(), {"arch"});
  backend.of_device.clear();
  expect_hit(call());
}

TEST_F(KeyAxes, another_toolchain_misses_and_no_toolchain_hits) {
  backend.toolchain.reset();
  expect_hit(call());
  backend.toolchain = "toolchain 2";
  expect_miss(call(), {"toolchain"});
  backend.toolchain = "toolchain 1";
  expect_hit(call());
}

TEST_F(KeyAxes, other_code_misses_and_another_comment_hits) {
  folder.write("cpu.cpp", "/* told differently */\n\nint   probe = 1;\n");
  expect_hit(call());
  folder.write("cpu.cpp", "int probe = 2;\n");
  expect_miss(call(), {"source"});
}

TEST_F(KeyAxes, another_header_misses_and_a_comment_in_it_hits) {
  folder.write("own.h", "int own = 1; // told differently\n");
  expect_hit(call());
  folder.write("own.h", "int own = 2;\n");
  expect_miss(call(), {"headers"});
  folder.write("own.h", "int own = 1;\n");
  folder.write("further.h", "\n");
  expect_miss(call(), {"headers"});
}

TEST_F(KeyAxes, options_of_kernel_and_caller_miss_and_their_order_counts) {
  TuneRequest request = folder.request();
  request.compile_options = {"-DA=1"};
  expect_miss(call(request, ProbeTensors()), {"options"});
  request.compile_options = {"-DA=1", "-DB"};
  expect_miss(call(request, ProbeTensors()), {"options"});
  request.compile_options = {"-DB", "-DA=1"};
  expect_miss(call(request, ProbeTensors()), {"options"});
  request.compile_options = {"-DB -DA=1"};
  expect_miss(call(request, ProbeTensors()), {"options"});
  folder.edit("-DFIRST", "-DSECOND");
  expect_miss(call(), {"options"});
}

TEST_F(KeyAxes, a_large_space_is_told_from_others_and_takes_little_of_the_key) {
  TuneRequest request = folder.request();
  const auto key_space = [&] {
    BoundFacts facts{{}, failure("none"), {}, {}, {}};
    facts.configs = request.space.enumerate(to_variables(request.sizes)).value();
    const TunerOptions options;
    for (const KeyAxis& axis : standard_key_axes())
      if (axis.name == "space")
        return axis.collect({backend, request, options, facts, nullptr}).value();
    return std::string();
  };
  request.space.parameters[0].values.clear();
  for (std::int64_t value = 1; value <= 5000; ++value)
    request.space.parameters[0].values.push_back(value);
  const std::string large = key_space();
  EXPECT_LT(large.size(), 100U);
  std::reverse(request.space.parameters[0].values.begin(),
               request.space.parameters[0].values.end());
  EXPECT_EQ(key_space(), large);
  request.space.parameters[0].values.back() = 5001;
  EXPECT_NE(key_space(), large);
}

TEST_F(KeyAxes, a_space_is_the_set_of_its_configs) {
  TuneRequest request = folder.request();
  std::swap(request.space.parameters[0], request.space.parameters[1]);
  std::swap(request.space.parameters[0].values[0], request.space.parameters[0].values[1]);
  expect_hit(call(request, ProbeTensors()));
  request.space.where = "block > 0";
  expect_hit(call(request, ProbeTensors()));
  request.space.where = "block * vec < 8";
  expect_miss(call(request, ProbeTensors()), {"space"});
  request.space.where = "";
  request.space.parameters[0].values.push_back(8);
  expect_miss(call(request, ProbeTensors()), {"space"});
}

TEST_F(KeyAxes, variables_of_the_kernel_the_backend_and_the_user_miss_and_others_hit) {
  {
    const Variable unrelated("PROBE_UNRELATED", "1");
    expect_hit(call());
  }
  {
    const Variable own("PROBE_SWITCH", "1");
    expect_miss(call(), {"environment"});
  }
  {
    const Variable empty("PROBE_SWITCH", "");
    expect_miss(call(), {"environment"});
  }
  {
    const Variable named("TUNECHECK_KEY_ENVIRONMENT", "PROBE_UNRELATED");
    const Variable unrelated("PROBE_UNRELATED", "1");
    expect_miss(call(), {"environment"});
  }
  expect_hit(call());
  backend.variables = {"PROBE_COMPILER_FLAGS"};
  expect_miss(call(), {"environment"});
}

TEST_F(KeyAxes, another_name_or_signature_misses) {
  folder.edit("alpha { dtype f32", "alpha { dtype f64");
  expect_miss(call(), {"signature"});
  folder.edit("alpha { dtype f64", "alpha { dtype f32");
  folder.edit("restore_value  \"y\"", "restore_value  \"y out\"");
  expect_miss(call(), {"signature"});
  folder.edit("restore_value  \"y out\"", "restore_value  \"y\"");
  folder.edit("name     probe", "name     other");
  const CallReport report = call();
  EXPECT_EQ(report.cache, CacheUse::miss);
  EXPECT_EQ(report.missed_axes, Names{});  // no entry of a kernel of this name
}

TEST_F(KeyAxes, the_order_in_which_a_caller_names_arguments_hits) {
  const TemporaryFolder cache = TemporaryFolder::create("tunecheck-cache").value();
  const auto call_in_order = [&](const std::vector<std::size_t>& order) {
    const ProbeTensors tensors;
    const char* const names[] = {"x", "y", "out", "total"};
    std::vector<NamedTensor> named;
    for (const std::size_t i : order)
      named.push_back({names[i], tensors.views()[i]});
    Tuner tuner(backend, quick_options(cache.path()));
    TunedKernel kernel = tuner.bind(folder.request()).value();
    const auto use = kernel.call(named, {{"alpha", 2}}).value().cache;
    EXPECT_TRUE(tensors.hold_one_launch());
    return use;
  };
  EXPECT_EQ(call_in_order({0, 1, 2, 3}), CacheUse::miss);
  EXPECT_EQ(call_in_order({3, 1, 0, 2}), CacheUse::hit);
}

TEST_F(KeyAxes, the_nearest_entry_is_the_one_with_the_fewest_differences) {
  TuneRequest request = folder.request();
  request.arch = "fancy";
  expect_miss(call(request, ProbeTensors(2)), {"arch", "strides"});
  expect_miss(call(request, ProbeTensors(2, 4)), {"alignment"});
}

TEST_F(KeyAxes, an_axis_that_reads_more_than_the_fast_path_turns_it_off) {
  TunerParts parts = TunerParts::standard();
  parts.key_axes.push_back({"exact_strides", "as they are", AxisMoment::call_in_detail, false,
                            [](const KeyContext& context) -> std::optional<std::string> {
                              return fmt::format("{}",
                                                 context.call->launch.tensors[0].layout.strides[0]);
                            }});
  Tuner tuner(backend, quick_options(""), std::move(parts));
  TunedKernel kernel = tuner.bind(folder.request()).value();
  const ProbeTensors two(2);
  const ProbeTensors three(3);
  EXPECT_EQ(kernel.call(two.arguments()).value().cache, CacheUse::disabled);
  EXPECT_EQ(kernel.call(three.arguments()).value().cache, CacheUse::disabled);
  EXPECT_EQ(kernel.call(two.arguments()).value().cache, CacheUse::hit);
}

TEST(KeyAxesTable, names_are_unique_and_every_axis_has_a_meaning) {
  const auto axes = standard_key_axes();
  const std::string table = axes_as_markdown(axes);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    EXPECT_FALSE(axes[i].meaning.empty());
    EXPECT_NE(table.find("| " + axes[i].name + " | "), table.npos);
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(axes[i].name, axes[j].name);
  }
}

TEST(KeyAxesTable, the_documentation_holds_the_table) {
  const std::string page =
      read_text_file(std::filesystem::path(TUNECHECK_SOURCE_ROOT) / "docs" / "tuner.md").value();
  EXPECT_NE(page.find(axes_as_markdown(standard_key_axes())), page.npos);
}

}  // namespace
}  // namespace tunecheck::test
