#include "core/exit_status.hpp"

#include <array>

#include <gtest/gtest.h>

namespace tunecheck::status {
namespace {

Status of(ErrorKind kind) {
  return status_of(Error{kind, "message", {}, 0, {}});
}

TEST(ExitStatus, a_mistake_of_the_user_is_3_and_every_other_error_4) {
  EXPECT_EQ(of(ErrorKind::bad_input), 3);
  EXPECT_EQ(of(ErrorKind::unsupported), 4);
  EXPECT_EQ(of(ErrorKind::machine), 4);
  EXPECT_EQ(of(ErrorKind::untrusted), 4);
  EXPECT_EQ(of(ErrorKind::internal), 4);
}

TEST(ExitStatus, where_an_error_is_does_not_matter) {
  for (const char* const file : {"", "my.info"})
    for (const char* const key : {"", "--out"}) {
      EXPECT_EQ(status_of({ErrorKind::bad_input, "message", file, 0, key}), bad_input);
      EXPECT_EQ(status_of({ErrorKind::machine, "message", file, 0, key}), untrusted);
    }
}

TEST(ExitStatus, an_error_that_does_not_say_its_kind_is_no_mistake_of_the_user) {
  EXPECT_EQ(failure("message").value().kind, ErrorKind::untrusted);
  EXPECT_EQ(failure(ErrorKind::bad_input, "{}", 1).value().kind, ErrorKind::bad_input);
}

TEST(ExitStatus, of_several_the_first_of_4_3_1_2_5_counts) {
  constexpr std::array order = {untrusted, bad_input, failed, regressed, undecided, held};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i; j < order.size(); ++j) {
      EXPECT_EQ(gravest({order.at(i), order.at(j)}), order.at(i));
      EXPECT_EQ(gravest({order.at(j), order.at(i)}), order.at(i));
    }
  EXPECT_EQ(gravest({}), held);
}

}  // namespace
}  // namespace tunecheck::status
