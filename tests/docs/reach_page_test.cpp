// docs/reach.md is what `tunecheck scenarios reach` prints.
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "judge/run/reach.hpp"

namespace tunecheck::test::reach_page {
namespace {

TEST(ReachPage, is_what_the_command_prints) {
  const auto adapters = read_adapters(find_resources().adapters).value();
  EXPECT_EQ(read_text_file(std::filesystem::path(TUNECHECK_DOCS) / "reach.md").value(),
            tunecheck::reach_page(adapters, read_catalogue({}).value()))
      << "tunecheck scenarios reach > docs/reach.md";
}

}  // namespace
}  // namespace tunecheck::test::reach_page
