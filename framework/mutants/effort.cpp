// Bugs in how much is searched, and in what becomes of a winner that was searched with less.
#include <limits>
#include <memory>
#include <utility>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

// Whatever effort is asked for.
std::unique_ptr<Search> with_least_effort(const SearchInput& input) {
  SearchOptions options = input.options;
  if (options.effort) options.effort = Effort::minimal;
  return make_search({options, input.configs, input.first});
}

// The winners of some budget alone are good enough for it, as if the budget was a part of the key.
bool as_much_and_no_more(const SearchedWith& searched, const SearchOptions& options,
                         std::size_t space) {
  const SearchOptions asked = without_effort(options, space);
  const auto all = static_cast<std::int64_t>(space);
  return searched.configs == (asked.trials > 0 ? std::min(asked.trials, all) : all);
}

// A larger search begins from nothing: what it finds in the entry, it does not read.
class EmptyEntries : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Found find(const Key& key, const KeyContext& context) override {
    Found found = StoreDecorator::find(key, context);
    found.entry.trials.clear();
    return found;
  }
};

// Says of each winner that it was searched with everything there is.
class ForgetsEffort : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    Entry written = entry;
    written.searched.configs = std::numeric_limits<std::int64_t>::max();
    return StoreDecorator::put(written, artifact);
  }
};

}  // namespace

std::vector<Mutant> effort_mutants() {
  return {
      {"believes_earlier_times",
       "takes the times of an earlier, smaller search for granted, although the machine is slower "
       "or faster by now",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.believes_earlier = [](const Trial&, const Trial&) { return true; };
       }},
      {"effort_changes_nothing", "tries as little as it can, whatever effort is asked for",
       [](ReferenceAdapterSetup& setup) { setup.parts.make_search = with_least_effort; }},
      {"effort_not_kept",
       "does not keep how much a winner was searched with, so that who asks for more gets no more",
       [](ReferenceAdapterSetup& setup) { decorate_store<ForgetsEffort>(setup); }},
      {"less_effort_tunes_again",
       "tunes again for a caller who asks for less than the stored winner was searched with",
       [](ReferenceAdapterSetup& setup) { setup.parts.is_enough = as_much_and_no_more; }},
      {"searches_from_the_beginning",
       "measures everything again if more is asked for than a stored winner was searched with",
       [](ReferenceAdapterSetup& setup) { decorate_store<EmptyEntries>(setup); }},
  };
}

}  // namespace tunecheck::mutants
