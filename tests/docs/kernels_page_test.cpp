// docs/kernels.md against the kernels: all are listed, and the figures hold what is promised.
#include <algorithm>

#include <gmock/gmock.h>

#include "core/kernel.hpp"
#include "core/resources.hpp"
#include "page.hpp"

namespace tunecheck::test::kernels_page {
namespace {

using testing::ElementsAreArray;
using testing::UnorderedElementsAreArray;

const Page& page() {
  static const Page kernels("kernels.md");
  return kernels;
}

const std::map<std::string, KernelDefinition>& kernels() {
  static const auto all = read_kernels({find_resources().kernels}).value();
  return all;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : kernels())
    names.push_back(name);
  return names;
}

// The table of `kernels tune --size full --markdown`, by kernel.
std::map<std::string, std::vector<std::string>> tuned() {
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& cells : page().rows("Tuned", "kernel"))
    rows[cells.at(0).substr(1, cells.at(0).size() - 2)] = cells;
  return rows;
}

TEST(KernelsPage, lists_every_kernel_and_no_other) {
  EXPECT_THAT(page().names_in_table("The kernels", "kernel"),
              UnorderedElementsAreArray(kernel_names()));
}

TEST(KernelsPage, shows_every_kernel_tuned) {
  std::vector<std::string> names;
  for (const auto& [name, cells] : tuned())
    names.push_back(name);
  EXPECT_THAT(names, ElementsAreArray(kernel_names()));
}

TEST(KernelsPage, shows_no_winner_that_is_slower_than_the_naive_loop) {
  constexpr double noise = 0.03;
  for (const auto& [name, cells] : tuned())
    EXPECT_GE(std::stod(cells.at(6)), 1 - noise) << name;
}

TEST(KernelsPage, shows_what_memory_limits_near_the_bandwidth_of_a_copy) {
  for (const auto& [name, cells] : tuned())
    if (kernels().at(name).limited_by == LimitedBy::memory) {
      EXPECT_GE(std::stod(cells.at(7)), 80) << name;
      EXPECT_EQ(cells.at(8), "memory") << name;
    }
}

TEST(KernelsPage, shows_no_kernel_whose_first_config_is_the_best) {
  for (const auto& [name, cells] : tuned())
    EXPECT_GT(std::stod(cells.at(4)), 1) << name;
}

}  // namespace
}  // namespace tunecheck::test::kernels_page
