// What trials run on, and what is left of it.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "probe_kernel.hpp"
#include "tuner/trial/trial_arguments.hpp"

namespace tunecheck::test {
namespace {

// Memory that trial processes and the test share: what kernels saw, rep by rep.
template <class T>
class Shared {
 public:
  Shared()
      : m_value(static_cast<T*>(::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { ::munmap(m_value, sizeof(T)); }
  T* operator->() const { return m_value; }

 private:
  T* m_value;
};

struct Seen {
  int launches;
  int launches_on_first_content;
  int launches_on_zeroed_total;
};

class Restore : public testing::Test {
 protected:
  // The probe kernel, which first writes down what it finds.
  FunctionBackend::Function watching_probe() {
    return [this](const Config& config, const LaunchArguments& arguments) {
      ++m_seen->launches;
      if (to_doubles(arguments.tensors[1]) == m_first_y) ++m_seen->launches_on_first_content;
      const auto total = to_doubles(arguments.tensors[3]);
      if (total == std::vector<double>(total.size(), 0)) ++m_seen->launches_on_zeroed_total;
      return run_probe(config, arguments);
    };
  }
  void expect_every_launch_saw_the_callers_content(const ProbeTensors& tensors) {
    m_first_y = tensors.values(1);
    FunctionBackend backend(watching_probe());
    const CallReport report = fresh_call(backend, m_folder.request(), tensors, "").value();
    EXPECT_EQ(report.status, 0);
    EXPECT_TRUE(tensors.hold_one_launch());
    EXPECT_GT(m_seen->launches, 4 * 7);  // seven reps of each of four configs
    EXPECT_EQ(m_seen->launches, m_seen->launches_on_first_content);
    EXPECT_EQ(m_seen->launches, m_seen->launches_on_zeroed_total);
    EXPECT_EQ(backend.launches_here(), 1);
  }

  ProbeFolder m_folder;
  Shared<Seen> m_seen;
  std::vector<double> m_first_y;
};

TEST_F(Restore, every_rep_sees_what_the_caller_passed) {
  expect_every_launch_saw_the_callers_content(ProbeTensors());
}

TEST_F(Restore, strided_tensors_come_back_exactly_and_the_bytes_between_stay) {
  const ProbeTensors tensors(3);
  ProbeTensors wanted(3);
  expect_every_launch_saw_the_callers_content(tensors);
  (void)run_probe({}, LaunchArguments{wanted.views(), wanted.arguments().scalars});
  wanted.refill();
  const std::vector<TensorView> views = tensors.views();
  for (std::size_t t = 0; t < 4; ++t)
    for (std::int64_t i = 0; i + 1 < ProbeTensors::size; ++i)
      EXPECT_EQ(views[t].data[(3 * i + 1) * static_cast<std::int64_t>(size_of(views[t].dtype))],
                std::byte{0x11});
}

TEST_F(Restore, an_argument_in_both_lists_is_copied_before_it_is_zeroed) {
  // triton#6547: what a failed tuning leaves is the content, not the zeros.
  m_folder.edit("restore_value  \"y\"", "restore_value  \"y total\"");
  FunctionBackend backend([](const Config&, const LaunchArguments& arguments) {
    const auto total = to_doubles(arguments.tensors[3]);
    return total == std::vector<double>(total.size(), 0) ? 7 : 8;
  });
  const ProbeTensors tensors;
  const auto before = tensors.bytes();
  const auto report = fresh_call(backend, m_folder.request(), tensors, "");
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("status 7"), std::string::npos) << report.error().message;
  EXPECT_EQ(tensors.bytes(), before);
}

TEST_F(Restore, a_failed_launch_after_tuning_leaves_the_arguments_as_they_were) {
  const pid_t tuner = ::getpid();
  FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
    (void)run_probe(config, arguments);
    return ::getpid() == tuner ? 9 : 0;
  });
  const ProbeTensors tensors;
  const auto before = tensors.bytes();
  const CallReport report = fresh_call(backend, m_folder.request(), tensors, "").value();
  EXPECT_EQ(report.status, 9);
  EXPECT_EQ(tensors.bytes(), before);
}

TEST_F(Restore, reset_to_zero_holds_after_tuning_on_hits_and_after_a_reload) {
  FunctionBackend backend(run_probe);
  const TemporaryFolder cache = TemporaryFolder::create("tunecheck-cache").value();
  ProbeTensors tensors;
  Tuner tuner(backend, quick_options(cache.path()));
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  for (const CacheUse use : {CacheUse::miss, CacheUse::hit, CacheUse::hit}) {
    tensors.refill();
    EXPECT_EQ(kernel.call(tensors.arguments()).value().cache, use);
    EXPECT_TRUE(tensors.hold_one_launch());
  }
  tensors.refill();
  EXPECT_EQ(fresh_call(backend, m_folder.request(), tensors, cache.path()).value().cache,
            CacheUse::hit);
  EXPECT_TRUE(tensors.hold_one_launch());
}

TEST_F(Restore, an_argument_that_overlaps_a_written_one_is_restored_with_it) {
  // The output lies over x, which no list names: every rep must see x as the caller has it.
  ProbeTensors tensors;
  std::vector<TensorView> views = tensors.views();
  views[2].data = views[0].data;
  const LaunchArguments arguments{views, tensors.arguments().scalars};
  const auto x = tensors.values(0);
  const auto y = tensors.values(1);
  FunctionBackend backend(run_probe);
  Tuner tuner(backend, quick_options(""));
  const CallReport report = tuner.bind(m_folder.request()).value().call(arguments).value();
  ASSERT_EQ(report.trials.size(), 4U);
  EXPECT_EQ(summarise_failures(report.trials), "");
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(tensors.values(0)[i], x[i] + 1);
    EXPECT_EQ(tensors.values(1)[i], y[i] + 2 * x[i]);
  }
}

TEST_F(Restore, arguments_that_overlap_in_part_share_their_bytes_in_trials) {
  // x begins within y: what a rep writes to y, it and no other rep sees in x.
  ProbeTensors tensors;
  std::vector<TensorView> views = tensors.views();
  views[0].data = views[1].data + 8 * sizeof(float);
  const LaunchArguments arguments{views, tensors.arguments().scalars};
  FunctionBackend backend([](const Config& config, const LaunchArguments& given) {
    const double before = to_doubles(given.tensors[0])[0];
    (void)run_probe(config, given);
    return to_doubles(given.tensors[0])[0] == before ? 1 : 0;
  });
  Tuner tuner(backend, quick_options(""));
  const CallReport report = tuner.bind(m_folder.request()).value().call(arguments).value();
  EXPECT_EQ(summarise_failures(report.trials), "");
  EXPECT_EQ(report.status, 0);
}

TEST_F(Restore, trials_never_touch_the_callers_memory_even_without_isolation) {
  FunctionBackend backend([](const Config& config, const LaunchArguments& arguments) {
    (void)run_probe(config, arguments);
    return 5;
  });
  TunerParts parts = TunerParts::standard();
  parts.runner = std::make_shared<InProcessTrialRunner>();
  struct NoUndo : TrialArguments {
    using TrialArguments::TrialArguments;
    void undo() override {}
  };
  parts.make_arguments = [](const CallArguments& call) { return std::make_unique<NoUndo>(call); };
  const ProbeTensors tensors;
  const auto before = tensors.bytes();
  EXPECT_FALSE(fresh_call(backend, m_folder.request(), tensors, "", parts).has_value());
  EXPECT_GT(backend.launches_here(), 0);
  EXPECT_EQ(tensors.bytes(), before);
}

}  // namespace
}  // namespace tunecheck::test
