#include "core/byte_size.hpp"

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

TEST(ByteSize, is_a_number_with_or_without_a_unit) {
  EXPECT_EQ(parse_byte_size("0"), 0U);
  EXPECT_EQ(parse_byte_size("65536"), 65536U);
  EXPECT_EQ(parse_byte_size("64K"), 65536U);
  EXPECT_EQ(parse_byte_size("3M"), 3U << 20U);
  EXPECT_EQ(parse_byte_size("2G"), std::uint64_t{2} << 30U);
}

TEST(ByteSize, is_nothing_else) {
  for (const char* const text :
       {"", "K", "-1", "64k", "64KB", "1.5M", "M64", "9223372036854775807K", "64 M"})
    EXPECT_EQ(parse_byte_size(text), std::nullopt) << text;
}

TEST(ByteSize, reads_well) {
  EXPECT_EQ(byte_size_text(0), "0 B");
  EXPECT_EQ(byte_size_text(1023), "1023 B");
  EXPECT_EQ(byte_size_text(1024), "1.0 KiB");
  EXPECT_EQ(byte_size_text(65'000), "63.5 KiB");
  EXPECT_EQ(byte_size_text(std::uint64_t{1} << 30U), "1.0 GiB");
}

}  // namespace
}  // namespace tunecheck
