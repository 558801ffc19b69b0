// Which entry of a table serves a call, by the rule that docs/tables.md states.
#include "table/lookup.hpp"

#include <gmock/gmock.h>

namespace tunecheck::table {
namespace {

using testing::HasSubstr;

class Lookup : public testing::Test {
 protected:
  Entry& add(Sizes sizes, std::int64_t block) {
    Entry entry;
    entry.kernel = "gemm";
    entry.device = {"sm_90", "NVIDIA H200, 132 multiprocessors, warps of 32"};
    entry.dtypes = {{"a", DType::bf16}};
    entry.sizes = std::move(sizes);
    entry.config = {{"block", block}};
    entry.code = "now";
    return m_table.entries.emplace_back(std::move(entry));
  }

  Choice ask(Sizes sizes) {
    m_question.sizes = std::move(sizes);
    m_question.allowed = m_allowed;
    return look_up(m_table, m_question);
  }

  OfflineTable m_table;
  std::vector<Config> m_allowed = {{{"block", 1}}, {{"block", 2}}, {{"block", 3}}};
  Question m_question{"gemm",
                      {"sm_90", "NVIDIA H200, 132 multiprocessors, warps of 32"},
                      {{"a", DType::bf16}},
                      {},
                      "now",
                      {}};
};

TEST_F(Lookup, takes_the_entry_with_the_very_sizes) {
  add({{"m", 64}}, 1);
  add({{"m", 65}}, 2);
  const Choice choice = ask({{"m", 65}});
  EXPECT_EQ(choice.use, Use::exact);
  EXPECT_EQ(choice.config.at("block"), 2);
}

TEST_F(Lookup, takes_the_nearest_by_the_logarithm) {
  add({{"m", 64}, {"n", 64}}, 1);
  add({{"m", 256}, {"n", 64}}, 2);
  // 120 is nearer to 64 by difference, and to 256 by ratio: 1.9 against 2.1.
  const Choice choice = ask({{"m", 130}, {"n", 64}});
  EXPECT_EQ(choice.use, Use::nearest);
  EXPECT_EQ(choice.config.at("block"), 2);
  EXPECT_EQ(ask({{"m", 120}, {"n", 64}}).config.at("block"), 1);
}

TEST_F(Lookup, of_two_at_one_distance_takes_the_smaller) {
  add({{"m", 256}}, 1);
  add({{"m", 64}}, 2);
  EXPECT_EQ(ask({{"m", 128}}).config.at("block"), 2);
}

TEST_F(Lookup, goes_no_farther_than_four_times) {
  add({{"m", 64}}, 1);
  EXPECT_EQ(ask({{"m", 256}}).use, Use::nearest);
  EXPECT_EQ(ask({{"m", 16}}).use, Use::nearest);
  EXPECT_EQ(ask({{"m", 257}}).use, Use::absent);
  EXPECT_EQ(ask({{"m", 0}}).use, Use::absent);
  EXPECT_EQ(ask({{"k", 64}}).use, Use::absent);
}

TEST_F(Lookup, passes_over_a_config_that_is_not_allowed) {
  add({{"m", 64}}, 99);
  add({{"m", 128}}, 3);
  EXPECT_EQ(ask({{"m", 64}}).config.at("block"), 3);
  m_table.entries.pop_back();
  const Choice refused = ask({{"m", 64}});
  EXPECT_EQ(refused.use, Use::refused);
  EXPECT_THAT(refused.reason, HasSubstr("block=99 is not one of those allowed"));
}

TEST_F(Lookup, mixes_no_devices_dtypes_kernels_and_codes) {
  add({{"m", 64}}, 1);
  m_question.device.kind = "NVIDIA H100, 132 multiprocessors, warps of 32";
  EXPECT_EQ(ask({{"m", 64}}).use, Use::absent);
  EXPECT_THAT(ask({{"m", 64}}).reason, HasSubstr("for another device"));
  m_question.device = m_table.entries[0].device;
  m_question.dtypes["a"] = DType::f32;
  EXPECT_THAT(ask({{"m", 64}}).reason, HasSubstr("no entry for gemm with a=f32"));
  m_question.dtypes["a"] = DType::bf16;
  m_question.code = "later";
  EXPECT_EQ(ask({{"m", 64}}).use, Use::refused);
  m_table.entries[0].code.clear();  // nobody said what code it was made for
  EXPECT_EQ(ask({{"m", 64}}).use, Use::exact);
  m_question.kernel = "softmax";
  EXPECT_EQ(ask({{"m", 64}}).use, Use::absent);
}

}  // namespace
}  // namespace tunecheck::table
