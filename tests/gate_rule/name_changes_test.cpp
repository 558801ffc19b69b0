#include "gate/rule/name_changes.hpp"

#include <gmock/gmock.h>

namespace tunecheck::gate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

GateResult noted(const std::vector<std::string>& base, const std::vector<std::string>& head) {
  GateResult result;
  note_names(base, head, result);
  return result;
}

TEST(NameChanges, what_one_side_alone_has_is_listed) {
  const GateResult result = noted({"a", "b", "c"}, {"a", "c", "d", "e"});
  EXPECT_THAT(result.removed, ElementsAre("b"));
  EXPECT_THAT(result.added, ElementsAre("d", "e"));
  EXPECT_THAT(result.renamed, IsEmpty());
}

TEST(NameChanges, another_name_in_the_same_place_may_be_a_new_name) {
  const GateResult result =
      noted({"a", "sort/8", "sort/64", "z"}, {"a", "sort2/8", "sort2/64", "z"});
  ASSERT_EQ(result.renamed.size(), 2U);
  EXPECT_EQ(result.renamed[1].base, "sort/64");
  EXPECT_EQ(result.renamed[1].head, "sort2/64");
  EXPECT_THAT(result.added, ElementsAre("sort2/8", "sort2/64"));
}

TEST(NameChanges, equal_names_are_no_news) {
  const GateResult result = noted({"a", "b"}, {"b", "a"});
  EXPECT_THAT(result.added, IsEmpty());
  EXPECT_THAT(result.removed, IsEmpty());
}

}  // namespace
}  // namespace tunecheck::gate
