#include "gate/history/fingerprint.hpp"

#include <gmock/gmock.h>

#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;

const Fingerprint machine = {{"cpu", "Toy CPU"}, {"driver", "1.2"}, {"governor", "performance"}};

TEST(Fingerprint, of_the_same_facts_is_compatible) {
  EXPECT_EQ(mistake_in(compatible(machine, Fingerprint(machine))), "");
}

TEST(Fingerprint, refusal_names_every_fact_that_differs_with_both_values) {
  EXPECT_EQ(
      mistake_in(compatible(machine, {{"cpu", "Toy CPU"}, {"driver", "1.3"}, {"host", "here"}})),
      "measured under different conditions, so times cannot be compared: driver: \"1.2\" in the "
      "baseline, \"1.3\" now; governor: \"performance\" in the baseline, unknown now; host: "
      "unknown in the baseline, \"here\" now");
}

TEST(Fingerprint, without_facts_can_be_compared_with_nothing) {
  EXPECT_EQ(mistake_in(compatible({}, {})), "nothing is known about the machine of the baseline");
  EXPECT_EQ(mistake_in(compatible(machine, {})),
            "nothing is known about the machine of what is compared with it");
}

TEST(Fingerprint, digests_differ_where_facts_do) {
  EXPECT_EQ(digest_of(machine), digest_of(Fingerprint(machine)));
  EXPECT_NE(digest_of({{"a", "b=c"}}), digest_of({{"a=b", "c"}}));
  EXPECT_NE(digest_of({{"a", "1\n1:b=1:2"}}), digest_of({{"a", "1"}, {"b", "2"}}));
}

}  // namespace
}  // namespace tunecheck::test
