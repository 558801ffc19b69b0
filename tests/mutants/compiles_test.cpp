// Mutants whose compilers run at the wrong moment.
#include <algorithm>

#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

TEST(CompileMutants, compiles_in_turn_takes_one_compiler_of_those_that_it_may_have) {
  for (const std::string& mutant : both("compiles_in_turn")) {
    ReferenceAdapterSetup setup;
    if (!mutant.empty()) find_mutant(mutant)->plant(setup);
    protocol::CallRequest request;
    request.compile_jobs = 8;
    setup.before_call(request);
    EXPECT_EQ(request.compile_jobs, mutant.empty() ? 8 : 1);
  }
}

TEST(CompileMutants, measures_while_compiling_and_admits_its_compiles) {
  for (const std::string& mutant : both("measures_while_compiling")) {
    Toy toy;
    toy.set_space({right}, {100, 200});
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(toy.backend.compiles(), 2);
    if (mutant.empty())
      EXPECT_EQ(call.report->compiles, 2);
    else
      EXPECT_GE(call.report->compiles, 4) << "one for each trial";
    EXPECT_EQ(call.winner.at("time"), 100);
  }
}

}  // namespace
}  // namespace tunecheck::test
