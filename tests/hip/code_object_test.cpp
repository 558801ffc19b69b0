// Code for AMD's devices without one of them: compiled, stored, and found by another process, up to
// the launch.
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "backend/gpu/gpu_artifact.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "core/device_kinds.hpp"
#include "core/digest.hpp"
#include "device_calls.hpp"
#include "hip_device.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CodeObject : public testing::Test {
 protected:
  void SetUp() override {
    const GpuCompilerState state = examine_gpu_compiler(DeviceKind::hip);
    if (!state.missing.empty()) GTEST_SKIP() << state.missing;
  }

  CompileRequest request(const std::string& arch) const {
    return {&m_kernel, m_kernel.variant(0),        {{"block", 128}, {"unroll", 4}},
            arch,      std::vector<std::string>(), m_kernel.sizes.at("smoke")};
  }
  Entry entry(const Artifact& artifact) const {
    Entry entry;
    entry.key = key();
    entry.winner = {{"block", 128}, {"unroll", 4}};
    entry.artifact_digest = artifact_digest(artifact.bytes);
    entry.artifact_bytes = artifact.bytes.size();
    entry.trials.emplace_back().config = entry.winner;
    entry.tuner_version = std::string(tuner_version);
    return entry;
  }
  Key key() const {
    return Key({{"kernel", m_kernel.name, false},
                {"arch", "gfx90a:sramecc+:xnack-", false},
                {"toolchain", GpuBackend(DeviceKind::hip).toolchain_fingerprint().value(), true}});
  }
  Found look(FolderStore& store) const {
    const TuneRequest request;
    const TunerOptions options;
    const BoundFacts facts{{}, failure("none"), {}, {}, {}};
    return store.find(key(), {m_backend, request, options, facts, nullptr});
  }

  const OwnHiprtc m_own;
  const GpuBackend m_backend{DeviceKind::hip};
  const KernelDefinition m_kernel = own_kernel("axpy_inplace");
  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-hip").value();
};

TEST_F(CodeObject, is_an_object_for_the_device_with_its_launch) {
  const auto artifact = m_backend.compile(request("gfx90a"));
  ASSERT_TRUE(artifact) << artifact.error().text();
  const auto read = gpu::unpack(*artifact);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->entry, "axpy_inplace");
  EXPECT_EQ(read->shape.grid, (std::array<std::int64_t, 3>{128, 1, 1}));
  EXPECT_EQ(read->shape.threads, (std::array<std::int64_t, 3>{128, 1, 1}));
  const std::string_view code(reinterpret_cast<const char*>(read->code.data()), read->code.size());
  EXPECT_THAT(code, StartsWith("\177ELF"));
  EXPECT_THAT(code, HasSubstr("amdgcn-amd-amdhsa--gfx90a"));
  EXPECT_EQ(gpu::pack(read->entry, read->shape, read->code).bytes, artifact->bytes);
}

TEST_F(CodeObject, with_other_features_is_another_one) {
  const auto any = m_backend.compile(request("gfx90a"));
  const auto replaying = m_backend.compile(request("gfx90a:xnack+"));
  ASSERT_TRUE(any) << any.error().text();
  ASSERT_TRUE(replaying) << replaying.error().text();
  EXPECT_NE(any->bytes, replaying->bytes);
}

TEST_F(CodeObject, is_found_by_another_process_byte_by_byte_and_goes_up_to_the_launch) {
  const auto artifact = m_backend.compile(request("gfx90a"));
  ASSERT_TRUE(artifact) << artifact.error().text();
  {
    FolderStore store(m_folder.path() / "cache");
    EXPECT_EQ(look(store).state, Found::State::miss);
    ASSERT_TRUE(store.put(entry(*artifact), *artifact));
  }
  const pid_t reader = ::fork();
  ASSERT_GE(reader, 0);
  if (reader == 0) {
    FolderStore store(m_folder.path() / "cache");
    const Found found = look(store);
    if (found.state != Found::State::hit) ::_exit(1);
    if (found.artifact.bytes != artifact->bytes) ::_exit(2);
    if (!gpu::unpack(found.artifact)) ::_exit(3);
    // The bytes come back to be looked at.
    ::_exit(write_file(m_folder.path() / "found", found.artifact.bytes) ? 0 : 4);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(reader, &status, 0), reader);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  Artifact found;
  found.bytes = read_binary_file(m_folder.path() / "found").value();
  EXPECT_EQ(artifact_digest(found.bytes), artifact_digest(artifact->bytes));
  // Loading is the first step that needs a device, and one that this code is for.
  const auto device = m_backend.device_name();
  const auto loaded = m_backend.load(found);
  if (!device) {
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().text(), device.error().text());
  } else if (is_on_shim()) {
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().text(), StartsWith("the driver refuses the code"));
  }
}

TEST_F(CodeObject, for_an_arch_that_hiprtc_does_not_know_fails_and_the_process_goes_on) {
  const std::vector<CompileRequest> requests = {request("gfx942"), request("gfx90a")};
  const auto artifacts = m_backend.compile_all(requests, 1);
  if (artifacts[0]) GTEST_SKIP() << "this HIPRTC knows gfx942";
  EXPECT_THAT(artifacts[0].error().text(), HasSubstr("gfx942"));
  EXPECT_TRUE(artifacts[1]) << artifacts[1].error().text();
}

TEST_F(CodeObject, has_a_toolchain_with_the_builds_of_hiprtc_and_of_what_it_leaves_the_work_to) {
  const std::string toolchain = m_backend.toolchain_fingerprint().value();
  EXPECT_THAT(
      toolchain,
      testing::MatchesRegex("HIPRTC [0-9]+[.][0-9]+ build [0-9a-f]+ libamd_comgr build [0-9a-f]+"));
}

}  // namespace
}  // namespace tunecheck::test
