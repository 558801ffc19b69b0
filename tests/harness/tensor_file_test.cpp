#include "harness/kernel/tensor_file.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

constexpr Fill ones{Fill::Kind::ones, 0, 0};

// A tensor's file, written, in a folder that goes with the test.
struct Written {
  explicit Written(const Layout& layout, std::int64_t align = 0, DType dtype = DType::f32)
      : folder(*TemporaryFolder::create("tunecheck-test-tensor")),
        tensor(folder.path() / "t.bin", dtype, layout, align, ones, 1, "t") {
    if (!tensor.write()) throw std::runtime_error("cannot write");
  }
  // Changes the byte that lies `offset` bytes from element [0, ..., 0].
  void flip(std::int64_t offset) const {
    std::fstream file(tensor.path(), std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(tensor.byte_offset()) + offset;
    file.seekg(at);
    const auto byte = static_cast<char>(file.get() ^ 0x40);
    file.seekp(at);
    file.put(byte);
  }
  [[nodiscard]] TensorFile::After after() const { return tensor.read_back().value(); }

  TemporaryFolder folder;
  TensorFile tensor;
};

Layout vector_of(std::int64_t elements) {
  return Layout::contiguous(std::vector{elements});
}

Layout every_other(std::int64_t elements, std::int64_t stride = 2) {
  return Layout::strided(std::vector{elements}, std::vector{stride});
}

TEST(TensorFile, that_nobody_touched_is_unchanged) {
  const TensorFile::After after = Written(every_other(10), 4).after();
  EXPECT_TRUE(after.unchanged);
  EXPECT_EQ(after.canary_damage, "");
  EXPECT_EQ(after.first_difference, "");
}

TEST(TensorFile, holds_the_fill) {
  const Written written(vector_of(5));
  EXPECT_EQ(to_doubles(written.tensor.initial()), std::vector<double>(5, 1));
  EXPECT_EQ(to_doubles(written.after().elements), std::vector<double>(5, 1));
}

TEST(TensorFile, elements_may_change_without_damage_to_canaries) {
  const Written written(every_other(10));
  written.flip(3 * 2 * 4 + 1);
  const TensorFile::After after = written.after();
  EXPECT_FALSE(after.unchanged);
  EXPECT_EQ(after.canary_damage, "");
  EXPECT_EQ(after.first_difference, "byte 25 inside the tensor's extent of 76 bytes");
  EXPECT_NE(to_doubles(after.elements).at(3), 1);
  EXPECT_EQ(to_doubles(after.elements).at(4), 1);
}

TEST(TensorFile, finds_a_damaged_canary_before_behind_and_between_strides) {
  const std::vector<std::pair<std::int64_t, std::string>> places = {
      {-1, "1 bytes before the tensor"},
      {-4096, "4096 bytes before the tensor"},
      {4, "byte 4 inside the tensor's extent of 76 bytes"},
      {76, "byte 0 past the end of the tensor"},
      {76 + 4095, "byte 4095 past the end of the tensor"},
  };
  for (const auto& [offset, text] : places) {
    const Written written(every_other(10));
    written.flip(offset);
    const TensorFile::After after = written.after();
    EXPECT_FALSE(after.unchanged) << offset;
    EXPECT_EQ(after.canary_damage, text);
    EXPECT_EQ(to_doubles(after.elements), std::vector<double>(10, 1)) << offset;
  }
}

TEST(TensorFile, tells_damage_from_changed_elements_when_there_are_both) {
  const Written written(every_other(10));
  written.flip(0);
  written.flip(8 + 4);
  const TensorFile::After after = written.after();
  EXPECT_EQ(after.first_difference, "byte 0 inside the tensor's extent of 76 bytes");
  EXPECT_EQ(after.canary_damage, "byte 12 inside the tensor's extent of 76 bytes");
}

TEST(TensorFile, a_canary_copied_to_another_place_is_damage) {
  const Written written(every_other(2, 3));
  // Both canaries between the elements, in each other's place.
  std::vector<std::byte> image = *read_binary_file(written.tensor.path());
  const auto at = static_cast<std::ptrdiff_t>(written.tensor.byte_offset());
  std::swap_ranges(image.begin() + at + 4, image.begin() + at + 8, image.begin() + at + 8);
  ASSERT_TRUE(write_file(written.tensor.path(), image));
  EXPECT_THAT(written.after().canary_damage, HasSubstr("inside the tensor's extent"));
}

TEST(TensorFile, element_0_lies_as_far_past_a_boundary_as_asked) {
  for (const std::int64_t align : {0, 4, 8, 60}) {
    for (const Layout& layout : {vector_of(5), every_other(5), every_other(5, -3)}) {
      const Written written(layout, align);
      EXPECT_EQ(written.tensor.byte_offset() % 64, static_cast<std::uint64_t>(align));
      EXPECT_TRUE(written.after().unchanged);
    }
  }
}

TEST(TensorFile, has_room_for_negative_strides) {
  const Written written(every_other(10, -2));
  written.flip(-4);
  EXPECT_EQ(written.after().canary_damage, "byte 68 inside the tensor's extent of 76 bytes");
  written.flip(-4);
  written.flip(-72);
  EXPECT_EQ(written.after().canary_damage, "");
  written.flip(-73);
  EXPECT_EQ(written.after().canary_damage, "1 bytes before the tensor");
}

TEST(TensorFile, of_a_broadcast_tensor_shows_a_change_once) {
  const Written written(every_other(10, 0));
  written.flip(1);
  const TensorFile::After after = written.after();
  EXPECT_EQ(after.canary_damage, "");
  EXPECT_FALSE(after.unchanged);
}

TEST(TensorFile, without_elements_is_all_canary) {
  const Written written(vector_of(0));
  EXPECT_TRUE(written.after().unchanged);
  written.flip(0);
  EXPECT_EQ(written.after().canary_damage, "byte 0 past the end of the tensor");
}

TEST(TensorFile, of_another_size_or_gone_is_an_error) {
  const Written written(vector_of(4));
  const auto size = std::filesystem::file_size(written.tensor.path());
  std::filesystem::resize_file(written.tensor.path(), size - 1);
  const auto shorter = written.tensor.read_back();
  ASSERT_FALSE(shorter);
  EXPECT_THAT(
      shorter.error().message,
      HasSubstr(fmt::format("had {} bytes before the call and has {} now", size, size - 1)));
  std::filesystem::resize_file(written.tensor.path(), size + 1);
  EXPECT_FALSE(written.tensor.read_back());
  std::filesystem::remove(written.tensor.path());
  EXPECT_FALSE(written.tensor.read_back());
}

TEST(TensorFile, a_copy_has_the_same_content) {
  const Written written(every_other(4), 12, DType::i64);
  const auto copy = written.folder.path() / "copy.bin";
  ASSERT_TRUE(written.tensor.write_copy(copy));
  EXPECT_EQ(*read_binary_file(copy), *read_binary_file(written.tensor.path()));
}

}  // namespace
}  // namespace tunecheck::test
