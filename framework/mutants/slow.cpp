// Bugs that are right in all that they do and take too long: no scenario asks how long a store
// takes, so they are not among those that scenarios must catch. The gate is what they are for.
#include <chrono>
#include <thread>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

class SlowStore : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Found find(const Key& key, const KeyContext& context) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return inner().find(key, context);
  }
};

void plant_slow_store(ReferenceAdapterSetup& setup) {
  decorate_store<SlowStore>(setup);
}

}  // namespace

std::vector<Mutant> slow_mutants() {
  return {{"slow_store", "spends a tenth of a second too long on each look-up of a winner",
           plant_slow_store}};
}

}  // namespace tunecheck::mutants
