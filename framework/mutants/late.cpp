// An answer that is right, and what the tuner does once it has been given. The cache folder, the
// results and the answer are those of the true tuner.
#include <cstdlib>

#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

using protocol::CacheState;

void plant_compiles_after_a_hit(ReferenceAdapterSetup& setup) {
  setup.after_answer = [](const protocol::CallAnswer& answer) {
    if (answer.cache != CacheState::hit) return;
    // A real compile by the compiler that the tuner uses; that it is refused changes nothing.
    (void)!std::system("c++ -x c++ -shared -fPIC /dev/null -o after_a_hit.so 2> after_a_hit.log");
  };
}

}  // namespace

std::vector<Mutant> late_mutants() {
  return {
      {"compiles_after_a_hit",
       "answers a hit from the cache, and runs its compiler once the answer has been given",
       plant_compiles_after_a_hit},
  };
}

}  // namespace tunecheck::mutants
