// What a caller sees: arguments that are no arguments, the fast path, the cache that is off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

class TunedCall : public testing::Test {
 protected:
  ProbeFolder m_folder;
  FunctionBackend m_backend{[](const Config&, const LaunchArguments&) { return 0; }};
  FunctionBackend m_probe{run_probe};
};

TEST_F(TunedCall, a_hit_in_memory_allocates_nothing) {
  Tuner tuner(m_backend, quick_options(""));
  // This backend writes nothing, which is fine where nothing has to be written.
  m_folder.edit("out   { dtype \"f32 f64\"  shape \"n\"  access write }",
                "out   { dtype \"f32 f64\"  shape \"n\"  access read }");
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  const ProbeTensors tensors;
  ASSERT_EQ(kernel.call(tensors.arguments()).value().cache, CacheUse::disabled);
  const std::vector<NamedTensor> named = {{"total", tensors.views()[3]},
                                          {"x", tensors.views()[0]},
                                          {"out", tensors.views()[2]},
                                          {"y", tensors.views()[1]}};
  const std::map<std::string, double> scalars = {{"alpha", 2}};
  const int before = allocations();
  const auto positional = kernel.call(tensors.arguments());
  const auto by_name = kernel.call(named, scalars);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(positional.value().cache, CacheUse::hit);
  EXPECT_EQ(by_name.value().cache, CacheUse::hit);
  EXPECT_NE(positional.value().winner, nullptr);
}

TEST_F(TunedCall, a_second_bind_finds_the_winner_in_memory) {
  Tuner tuner(m_probe, quick_options(""));
  const ProbeTensors tensors;
  EXPECT_EQ(tuner.bind(m_folder.request()).value().call(tensors.arguments()).value().cache,
            CacheUse::disabled);
  const int compiles = m_probe.compiles();
  EXPECT_EQ(tuner.bind(m_folder.request()).value().call(tensors.arguments()).value().cache,
            CacheUse::hit);
  EXPECT_EQ(m_probe.compiles(), compiles);
  m_folder.write("cpu.cpp", "int probe = 3;");
  EXPECT_EQ(tuner.bind(m_folder.request()).value().call(tensors.arguments()).value().cache,
            CacheUse::disabled);
}

TEST_F(TunedCall, the_fast_path_tells_apart_what_the_key_tells_apart) {
  Tuner tuner(m_probe, quick_options(""));
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  const auto use = [&](const ProbeTensors& tensors) {
    return kernel.call(tensors.arguments()).value().cache;
  };
  ProbeTensors other_scalar;
  other_scalar.set_alpha(9);
  EXPECT_EQ(use(ProbeTensors()), CacheUse::disabled);
  EXPECT_EQ(use(ProbeTensors(2)), CacheUse::disabled);
  EXPECT_EQ(use(ProbeTensors(1, 4)), CacheUse::disabled);
  EXPECT_EQ(use(ProbeTensors(1, 0, DType::f64)), CacheUse::disabled);
  EXPECT_EQ(use(other_scalar), CacheUse::disabled);
  EXPECT_EQ(use(ProbeTensors(5)), CacheUse::hit);
  EXPECT_EQ(use(ProbeTensors()), CacheUse::hit);
  EXPECT_EQ(use(other_scalar), CacheUse::hit);
}

TEST_F(TunedCall, more_patterns_than_the_fast_path_holds_still_hit) {
  Tuner tuner(m_probe, quick_options(""));
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  for (const CacheUse use : {CacheUse::disabled, CacheUse::hit})
    for (int alpha = 1; alpha <= 20; ++alpha) {
      ProbeTensors tensors;
      tensors.set_alpha(alpha);
      EXPECT_EQ(kernel.call(tensors.arguments()).value().cache, use) << alpha;
      EXPECT_TRUE(tensors.hold_one_launch());
    }
}

TEST_F(TunedCall, arguments_that_are_not_the_kernels_are_refused) {
  Tuner tuner(m_probe, quick_options(""));
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  const ProbeTensors tensors;
  const auto views = tensors.views();
  const auto message = [&](const std::vector<NamedTensor>& named,
                           const std::map<std::string, double>& scalars) {
    const auto report = kernel.call(named, scalars);
    return report ? std::string("accepted") : report.error().message;
  };
  const std::vector<NamedTensor> all = {
      {"x", views[0]}, {"y", views[1]}, {"out", views[2]}, {"total", views[3]}};
  EXPECT_EQ(message(all, {}), "accepted");
  EXPECT_THAT(message({{"x", views[0]}}, {}), HasSubstr("needs 4 tensors"));
  EXPECT_THAT(message({{"z", views[0]}}, {}), HasSubstr("has no tensor \"z\""));
  EXPECT_THAT(message({{"x", views[0]}, {"x", views[0]}}, {}), HasSubstr("only one tensor"));
  EXPECT_THAT(message(all, {{"gamma", 1}}), HasSubstr("no scalar \"gamma\""));
  auto wrong = all;
  wrong[3].view.dtype = DType::f32;
  EXPECT_THAT(message(wrong, {}), HasSubstr("total may not be f32"));
  wrong = all;
  wrong[0].view.layout.shape[0] = 31;
  EXPECT_THAT(message(wrong, {}), HasSubstr("expected [32]"));
  EXPECT_FALSE(kernel.call(LaunchArguments{views, {}}).has_value());
  EXPECT_FALSE(kernel.call(LaunchArguments{}).has_value());
}

TEST_F(TunedCall, a_request_that_makes_no_sense_is_refused_by_bind) {
  Tuner tuner(m_probe, quick_options(""));
  TuneRequest request = m_folder.request();
  request.arch = "nowhere";
  EXPECT_FALSE(tuner.bind(request).has_value());
  request = m_folder.request();
  request.sizes.clear();
  EXPECT_FALSE(tuner.bind(request).has_value());
  request = m_folder.request();
  request.space.where = "0";
  EXPECT_FALSE(tuner.bind(request).has_value());
  request = m_folder.request();
  std::filesystem::remove(request.kernel.cpu->source);
  EXPECT_FALSE(tuner.bind(request).has_value());
}

}  // namespace
}  // namespace tunecheck::test
