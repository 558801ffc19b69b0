// Where the runner puts tensors, in the host's memory and in a device's.
#include "harness/kernel/runner/run_memory.hpp"

#include <gmock/gmock.h>

#include "../backend/forwarding_memory.hpp"
#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::Each;
using testing::ElementsAre;

// Memory of a device that happens to be the host's: what is in it is not in the files.
class FarMemory final : public ForwardingMemory {
 public:
  Result<MemoryBlock> allocate(std::size_t bytes) const override {
    auto block = host_memory().allocate(bytes);
    if (block) ends.push_back(block->data() + block->size());
    return block;
  }

  mutable std::vector<std::byte*> ends;  // of all blocks, in the order in which they were made
};

class RunMemoryTest : public testing::Test {
 protected:
  // A file of ten doubles 0 to 9, with tensors in it: the first element and how many.
  void SetUp() override {
    std::vector<double> numbers(10);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<double>(i);
    ASSERT_TRUE(write_file(file(), std::as_bytes(std::span(numbers))));
  }
  void add(std::uint64_t first, std::int64_t count, std::int64_t stride = 1) {
    run.tensors.push_back(
        {file(), first * sizeof(double), DType::f64,
         Layout::strided(std::vector<std::int64_t>{count}, std::vector<std::int64_t>{stride})});
  }
  std::filesystem::path file() const { return m_folder.path() / "numbers"; }
  std::vector<double> in_file() const {
    const auto bytes = read_binary_file(file()).value();
    std::vector<double> numbers(bytes.size() / sizeof(double));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }

  IsolatedRun run;
  FarMemory far;

 private:
  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-memory").value();
};

TEST_F(RunMemoryTest, of_the_host_is_the_file_itself) {
  add(2, 3);
  const RunMemory memory = RunMemory::open(run, host_memory()).value();
  EXPECT_THAT(to_doubles(memory.views().at(0)), ElementsAre(2, 3, 4));
  fill_zero(memory.views()[0]);
  EXPECT_THAT(in_file(), ElementsAre(0, 1, 0, 0, 0, 5, 6, 7, 8, 9));
}

TEST_F(RunMemoryTest, as_trials_have_it_restores_what_the_first_launch_changed_and_nothing_else) {
  add(0, 4);
  const std::filesystem::path other = file().string() + ".read";
  const std::vector<double> read = {1, 2, 3};
  ASSERT_TRUE(write_file(other, std::as_bytes(std::span(read))));
  run.tensors.push_back({other, 0, DType::f64, Layout::contiguous(std::vector<std::int64_t>{3})});
  run.measure = true;
  run.as_trials = true;
  RunMemory memory = RunMemory::open(run, host_memory()).value();
  fill_zero(memory.views()[0]);
  memory.keep_unchanged();
  fill_zero(memory.views()[0]);
  fill_zero(memory.views()[1]);  // no kernel does; it shows what is restored
  memory.restore();
  EXPECT_THAT(to_doubles(memory.views().at(0)), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(to_doubles(memory.views().at(1)), ElementsAre(0, 0, 0));
}

TEST_F(RunMemoryTest, of_a_device_holds_the_whole_file_and_comes_back) {
  add(2, 3);
  const RunMemory memory = RunMemory::open(run, far).value();
  EXPECT_THAT(to_doubles(memory.views().at(0)), ElementsAre(2, 3, 4));
  TensorView with_what_lies_around = memory.views()[0];
  with_what_lies_around.data -= sizeof(double);
  with_what_lies_around.layout = Layout::contiguous(std::vector<std::int64_t>{5});
  EXPECT_THAT(to_doubles(with_what_lies_around), ElementsAre(1, 2, 3, 4, 5));
  fill_zero(with_what_lies_around);
  EXPECT_EQ(in_file().at(2), 2);
  ASSERT_TRUE(memory.write_back());
  EXPECT_THAT(in_file(), ElementsAre(0, 0, 0, 0, 0, 0, 6, 7, 8, 9));
}

TEST_F(RunMemoryTest, that_is_tight_ends_with_the_tensor_and_leaves_the_rest_of_the_file) {
  add(5, 3, -2);  // elements 5, 3, 1
  run.tight = true;
  const RunMemory memory = RunMemory::open(run, far).value();
  const TensorView& view = memory.views().at(0);
  EXPECT_THAT(to_doubles(view), ElementsAre(5, 3, 1));
  EXPECT_THAT(far.ends, ElementsAre(byte_range(view).end));
  fill_zero(view);
  ASSERT_TRUE(memory.write_back());
  EXPECT_THAT(in_file(), ElementsAre(0, 0, 2, 0, 4, 0, 6, 7, 8, 9));
}

TEST_F(RunMemoryTest, that_is_tight_holds_all_tensors_of_a_file) {
  add(2, 4);
  add(1, 2);
  run.tight = true;
  const RunMemory memory = RunMemory::open(run, far).value();
  EXPECT_THAT(far.ends, ElementsAre(byte_range(memory.views().at(0)).end));
  EXPECT_THAT(to_doubles(memory.views()[0]), ElementsAre(2, 3, 4, 5));
  fill_zero(memory.views()[0]);
  EXPECT_THAT(to_doubles(memory.views()[1]), ElementsAre(1, 0));
}

TEST_F(RunMemoryTest, that_is_tight_takes_tensors_without_elements) {
  add(10, 0);
  run.tight = true;
  const RunMemory memory = RunMemory::open(run, far).value();
  EXPECT_THAT(far.ends, ElementsAre(memory.views().at(0).data));
  ASSERT_TRUE(memory.write_back());
  EXPECT_EQ(in_file().at(9), 9);
}

TEST_F(RunMemoryTest, that_is_measured_can_be_put_back) {
  add(0, 10);
  run.measure = true;
  for (const TensorMemory* const where : {&host_memory(), static_cast<const TensorMemory*>(&far)}) {
    const RunMemory memory = RunMemory::open(run, *where).value();
    fill_zero(memory.views().at(0));
    EXPECT_THAT(to_doubles(memory.views()[0]), Each(0));
    memory.restore();
    EXPECT_THAT(to_doubles(memory.views()[0]), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_EQ(in_file().at(9), 9);
  }
}

TEST_F(RunMemoryTest, of_a_file_that_is_not_there_is_an_error) {
  add(0, 1);
  std::filesystem::remove(file());
  EXPECT_FALSE(RunMemory::open(run, far));
}

}  // namespace
}  // namespace tunecheck::test
