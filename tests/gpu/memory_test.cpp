// What TensorMemory promises, in the memory of a GPU.
#include <numeric>

#include "core/fill.hpp"
#include "device_calls.hpp"

namespace tunecheck {
namespace {

class MemoryOnGpu : public test::OnGpu {
 protected:
  // A tensor of the layout with the fill, and what lies between the elements poisoned by 0xc5.
  struct Pair {
    MemoryBlock block;
    std::vector<std::byte> host;
    TensorView there, here;
  };
  Pair make(DType dtype, const Layout& layout, std::string_view name) {
    Pair pair;
    const Extent extent = extent_of(layout);
    const auto size = static_cast<std::int64_t>(size_of(dtype));
    const auto bytes = static_cast<std::size_t>((extent.end - extent.first) * size);
    pair.host.assign(bytes, std::byte{0xc5});
    pair.here = {pair.host.data() - extent.first * size, dtype, layout};
    apply_fill({Fill::Kind::normal}, 1, name, pair.here);
    pair.block = memory().allocate(bytes).value();
    pair.there = {pair.block.data() - extent.first * size, dtype, layout};
    memory().fill_bytes(pair.block.data(), bytes, std::byte{0xc5});
    memory().copy_from_host(pair.here, pair.there);
    return pair;
  }
  std::vector<std::byte> content(const Pair& pair) {
    const auto bytes = static_cast<std::int64_t>(pair.host.size());
    const auto tensor =
        memory().on_host({pair.block.data(), DType::u8, Layout::contiguous(std::span(&bytes, 1))});
    return tensor.value().copy;
  }
  const TensorMemory& memory() { return backend().memory(); }

  const std::vector<Layout> m_layouts = {
      Layout::contiguous(std::vector<std::int64_t>{37, 19}),
      Layout::strided(std::vector<std::int64_t>{37, 19}, std::vector<std::int64_t>{64, 3}),
      Layout::strided(std::vector<std::int64_t>{37, 19}, std::vector<std::int64_t>{1, 40}),
      Layout::strided(std::vector<std::int64_t>{37, 19}, std::vector<std::int64_t>{-20, 1}),
  };
  const std::vector<DType> m_dtypes = {DType::f64, DType::f32, DType::bf16, DType::f16,
                                       DType::i32, DType::i64, DType::u8};
};

TEST_F(MemoryOnGpu, copies_fills_and_comparisons_are_those_of_the_host) {
  for (const DType dtype : m_dtypes)
    for (const Layout& from : m_layouts)
      for (const Layout& to : m_layouts) {
        SCOPED_TRACE(
            fmt::format("{} {} {}", name_of(dtype), stride_pattern(from), stride_pattern(to)));
        Pair source = make(dtype, from, "source");
        Pair target = make(dtype, to, "target");
        EXPECT_FALSE(memory().same_elements(source.there, target.there));
        EXPECT_FALSE(memory().compare_elements(source.there, target.there, {}).equal());
        copy_elements(source.here, target.here);
        memory().copy_elements(source.there, target.there);
        EXPECT_EQ(content(target), target.host);
        EXPECT_TRUE(memory().same_elements(source.there, target.there));
        EXPECT_TRUE(memory().compare_elements(source.there, target.there, {}).equal());
        fill_poison(target.here);
        memory().fill_poison(target.there);
        EXPECT_EQ(content(target), target.host);
        fill_zero(target.here);
        memory().fill_zero(target.there);
        EXPECT_EQ(content(target), target.host);
        EXPECT_TRUE(memory().wait());
      }
}

TEST_F(MemoryOnGpu, one_element_that_is_off_is_found_wherever_it_is) {
  const std::int64_t count = 1 << 20;
  const Layout layout = Layout::contiguous(std::span(&count, 1));
  for (const DType dtype : {DType::f64, DType::f32, DType::bf16, DType::f16}) {
    Pair expected = make(dtype, layout, "values");
    for (const std::int64_t place : {std::int64_t{0}, count / 3, count - 1}) {
      Pair actual = make(dtype, layout, "values");
      ASSERT_TRUE(memory().compare_elements(actual.there, expected.there, {1e-2, 1e-2}).equal());
      std::byte* const element =
          actual.here.data + place * static_cast<std::int64_t>(size_of(dtype));
      store_element(dtype, element, load_element(dtype, element) + 1);
      memory().copy_from_host(actual.here, actual.there);
      const Comparison found =
          memory().compare_elements(actual.there, expected.there, {1e-2, 1e-2});
      EXPECT_EQ(found.wrong, 1);
      EXPECT_EQ(found.first_wrong, std::vector<std::int64_t>{place});
      EXPECT_FALSE(memory().same_elements(actual.there, expected.there));
    }
  }
}

TEST_F(MemoryOnGpu, one_byte_of_a_canary_is_found) {
  const auto block = memory().allocate(100'003).value();
  memory().fill_bytes(block.data(), block.size(), std::byte{0xc5});
  EXPECT_TRUE(memory().holds(block.data(), block.size(), std::byte{0xc5}));
  for (const std::size_t place : {std::size_t{0}, std::size_t{50'000}, block.size() - 1}) {
    memory().fill_bytes(block.data() + place, 1, std::byte{0});
    EXPECT_FALSE(memory().holds(block.data(), block.size(), std::byte{0xc5}));
    memory().fill_bytes(block.data() + place, 1, std::byte{0xc5});
  }
}

TEST_F(MemoryOnGpu, more_than_there_is_is_an_error_that_names_the_device) {
  const auto block = memory().allocate(std::size_t{1} << 50);
  ASSERT_FALSE(block);
  EXPECT_NE(block.error().text().find("cannot allocate"), std::string::npos);
}

}  // namespace
}  // namespace tunecheck
