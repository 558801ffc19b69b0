// An answer that is right, and what the tuner does once it has been given. The cache folder, the
// results and the answer are those of the true tuner.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>

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

// Another byte in the first element of a hit's last argument, as soon as the judge asks for
// something else.
void plant_writes_after_a_hit(ReferenceAdapterSetup& setup) {
  const auto answered = std::make_shared<std::optional<protocol::Tensor>>();
  const auto write = [answered] {
    if (!*answered) return;
    std::fstream file((*answered)->file, std::ios::in | std::ios::out | std::ios::binary);
    const auto first = static_cast<std::streamoff>((*answered)->byte_offset);
    const int byte = file.seekg(first).get();
    file.seekp(first).put(static_cast<char>(~byte));
    answered->reset();
  };
  setup.before_answer = [answered](const protocol::CallRequest& request,
                                   const protocol::CallAnswer& answer) {
    if (answer.cache == CacheState::hit) *answered = request.tensors.back();
  };
  setup.before_call = [write](const auto&) { write(); };
  setup.on_quit = write;
}

}  // namespace

std::vector<Mutant> late_mutants() {
  return {
      {"compiles_after_a_hit",
       "answers a hit from the cache, and runs its compiler once the answer has been given",
       plant_compiles_after_a_hit},
      {"writes_after_a_hit",
       "answers a hit from the cache, and writes into one of its arguments once the answer has "
       "been given",
       plant_writes_after_a_hit},
  };
}

}  // namespace tunecheck::mutants
