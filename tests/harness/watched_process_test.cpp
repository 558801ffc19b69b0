// A tuner's process from its folders to its end: the calls of the reference tuner, and of scripts.
#include "harness/process/watched_process.hpp"

#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "blind_probe.hpp"
#include "core/device_kinds.hpp"
#include "harness/kernel/tensor_file.hpp"
#include "harness/process/call_request.hpp"
#include "observe/event_lines.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class WatchedProcessTest : public testing::Test {
 protected:
  WatchedProcessTest() {
    m_setup.name = "one";
    m_setup.time_limit = 60s;
  }
  ~WatchedProcessTest() override { m_workspace.remove(); }

  WatchedProcess prepare(const AdapterInfo& adapter) {
    return WatchedProcess::prepare(
               m_workspace, m_setup, adapter,
               find_observers(m_folder.path() / "store", m_folder.path() / "spies").value())
        .value();
  }
  AdapterInfo script(const std::string& text) const {
    const auto file = m_folder.path() / "adapter.sh";
    EXPECT_TRUE(write_file(file, text));
    AdapterInfo adapter = find_adapter("reference").value();
    adapter.command = {"/bin/sh", file.string()};
    return adapter;
  }
  WatchedCall call() const {
    std::vector<TensorFile> files;
    for (const TensorParameter& tensor : m_kernel.tensors) {
      files.emplace_back(m_workspace.tensors_folder("one") / (tensor.name + ".bin"), DType::f32,
                         Layout::contiguous(std::vector<std::int64_t>{64}), 0,
                         Fill{Fill::Kind::ones, 0, 0}, 1, tensor.name);
      EXPECT_TRUE(files.back().write());
    }
    WatchedCall call;
    call.request = make_request(m_kernel, m_workspace, "one", files, m_kernel.sizes.at("smoke"));
    return call;
  }

  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-watched").value();
  const KernelDefinition m_kernel = write_kernel(m_folder.path() / "toy");
  Workspace m_workspace = Workspace::create(m_folder.path() / "work", m_kernel).value();
  ProcessSetup m_setup;
};

TEST_F(WatchedProcessTest, is_asked_and_its_observers_are_read) {
  const AdapterInfo adapter = find_adapter("reference").value();
  WatchedProcess process = prepare(adapter);
  EXPECT_FALSE(process.is_running());
  ASSERT_TRUE(process.start()) << process.trouble();
  EXPECT_THAT(process.tuner(), HasSubstr(" "));
  WatchedCall first = call();
  ASSERT_TRUE(process.ask(first));
  ASSERT_TRUE(process.gather(first));
  EXPECT_EQ(first.failure_text(), "");
  EXPECT_THAT(first.compiles, SizeIs(2)) << "one a config";
  EXPECT_TRUE(first.tuned());
  WatchedCall second = call();
  ASSERT_TRUE(process.ask(second));
  EXPECT_EQ(process.end().trouble, "");
  EXPECT_FALSE(process.is_running());
  ASSERT_TRUE(process.gather(second)) << "what came last can still be read";
  EXPECT_THAT(second.launches, SizeIs(1));
  EXPECT_FALSE(second.tuned());
  EXPECT_GE(second.asked_ns, first.asked_ns + first.wall_ns);
}

TEST_F(WatchedProcessTest, that_dies_in_a_call_says_so_in_the_call) {
  const AdapterInfo adapter = script("read line; echo \"$HELLO\"\nread line; exit 3\n");
  protocol::Hello hello;
  hello.backend = DeviceKind::cpu;
  m_setup.environment["HELLO"] = protocol::to_line(hello);
  WatchedProcess process = prepare(adapter);
  ASSERT_TRUE(process.start()) << process.trouble();
  WatchedCall asked = call();
  ASSERT_TRUE(process.ask(asked));
  EXPECT_EQ(asked.failure_text(), "the adapter ended instead of answering \"call\": exit status 3");
  EXPECT_TRUE(process.gather(asked));
  EXPECT_THAT(asked.launches, IsEmpty());
  EXPECT_EQ(process.end().end.exit_status, 3);
}

TEST_F(WatchedProcessTest, that_does_not_start_says_why_and_whether_it_refused) {
  const AdapterInfo dead = script("exit 3");
  WatchedProcess broken = prepare(dead);
  EXPECT_FALSE(broken.start());
  EXPECT_EQ(broken.trouble(), "the adapter ended instead of answering \"hello\": exit status 3");
  EXPECT_FALSE(broken.refused());
  const AdapterInfo unwilling =
      script("read line; echo '{\"answer\": \"error\", \"message\": \"no CUDA driver\"}'\n");
  WatchedProcess other = prepare(unwilling);
  EXPECT_FALSE(other.start());
  EXPECT_EQ(other.trouble(), "the adapter cannot run on \"cpu\": no CUDA driver");
  EXPECT_TRUE(other.refused());
}

TEST_F(WatchedProcessTest, is_killed_for_what_observers_saw) {
  const AdapterInfo adapter = find_adapter("reference").value();
  m_setup.kill = KillPoint{KillPoint::When::compiles, {}, 1, "compiles_1"};
  WatchedProcess process = prepare(adapter);
  ASSERT_TRUE(process.start()) << process.trouble();
  WatchedCall asked = call();
  ASSERT_TRUE(process.ask(asked));
  EXPECT_THAT(asked.failure_text(), HasSubstr("signal 9"));
  ASSERT_TRUE(process.gather(asked));
  EXPECT_GT(process.killed_ns(), 0);
  const std::int64_t killed_ns = process.killed_ns();
  EXPECT_EQ(process.end().end.signal, SIGKILL);
  EXPECT_EQ(process.killed_ns(), killed_ns);
}

TEST_F(WatchedProcessTest, under_a_probe_that_is_blind_gives_no_evidence) {
  const AdapterInfo adapter = adapter_with_blind_probe(m_folder.path());
  WatchedProcess process = prepare(adapter);
  ASSERT_TRUE(process.start()) << process.trouble();
  WatchedCall asked = call();
  ASSERT_TRUE(process.ask(asked));
  EXPECT_EQ(asked.failure_text(), "") << "the tuner itself works";
  const auto gathered = process.gather(asked);
  ASSERT_FALSE(gathered);
  EXPECT_EQ(gathered.error().text(), blind_refusal);
}

TEST_F(WatchedProcessTest, of_which_somebody_else_recorded_a_compile_is_not_trusted) {
  const AdapterInfo adapter = find_adapter("reference").value();
  WatchedProcess process = prepare(adapter);
  ASSERT_TRUE(process.start()) << process.trouble();
  if (!process.unseen_programs().empty()) GTEST_SKIP() << process.unseen_programs();
  const pid_t forger = ::fork();
  if (forger == 0) {
    const auto evidence = open_evidence(m_workspace.evidence_socket("one"));
    ::_exit(evidence && append_line(*evidence, to_line(CompileEvent())) ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(forger, &status, 0), forger);
  ASSERT_EQ(status, 0);
  process.end();
  const auto gathered = process.gather_late({});
  ASSERT_FALSE(gathered);
  EXPECT_EQ(gathered.error().text(),
            fmt::format("process {} recorded a compile, and was never started as a compiler spy",
                        forger));
}

}  // namespace
}  // namespace tunecheck::test
