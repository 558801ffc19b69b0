// A key is tuned when a process first asks for it: bugs by which the tuning comes later, again, or
// for each value of a number.
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <string>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

// Counts the calls of a process. An axis of this moment is collected once a call.
using CallCount = std::shared_ptr<std::atomic<int>>;

void add_call_axis(ReferenceAdapterSetup& setup, const std::string& axis, const CallCount& calls,
                   std::string (*value)(int call)) {
  setup.parts.key_axes.push_back(
      {axis, "which of the process's calls it is", AxisMoment::call_in_detail, false,
       [=](const KeyContext&) { return std::optional(value(++*calls)); }});
}

void plant_tunes_again_later(ReferenceAdapterSetup& setup) {
  add_call_axis(setup, "age", std::make_shared<std::atomic<int>>(0), [](int call) {
    constexpr int calls_until_old = 8;
    return std::to_string((call - 1) / calls_until_old);
  });
}

class OnlyDefault : public Search {
 public:
  explicit OnlyDefault(const SearchInput& input)
      : Search(input.options.time), m_default(input.first.value_or(0)) {}
  Proposal next(std::span<const Trial> /*trials*/) override {
    if (m_is_proposed) return {};
    m_is_proposed = true;
    return {{m_default}};
  }

 private:
  std::size_t m_default;
  bool m_is_proposed = false;
};

void plant_tunes_after_first_result(ReferenceAdapterSetup& setup) {
  const auto calls = std::make_shared<std::atomic<int>>(0);
  add_call_axis(setup, "is_first", calls,
                [](int call) { return std::string(call == 1 ? "first" : "later"); });
  setup.parts.make_search = [calls, inner = setup.parts.make_search](
                                const SearchInput& input) -> std::unique_ptr<Search> {
    if (*calls == 1) return std::make_unique<OnlyDefault>(input);
    return inner(input);
  };
}

// Where nobody may search, a search that knows the default config alone: its winner is stored.
void plant_stores_the_default(ReferenceAdapterSetup& setup) {
  const auto is_off = std::make_shared<std::atomic<bool>>(false);
  setup.parts.may_search = [is_off](const TunerOptions& options) {
    *is_off = !options.may_search;
    return true;
  };
  setup.parts.make_search = [is_off, inner = setup.parts.make_search](
                                const SearchInput& input) -> std::unique_ptr<Search> {
    if (*is_off) return std::make_unique<OnlyDefault>(input);
    return inner(input);
  };
}

// Whether each number is 1, and whether 16 divides it, though that decides nothing.
std::optional<std::string> classes_of_scalars(const KeyContext& context) {
  std::string text;
  for (const Scalar& scalar : context.call->launch.scalars)
    text += scalar.value == 1 ? '1' : std::fmod(scalar.value, 16) == 0 ? 'D' : '-';
  return text;
}

}  // namespace

std::vector<Mutant> turn_mutants() {
  return {
      {"searches_when_it_may_not",
       "searches although searching is switched off, as it must not in production (FlyDSL's "
       "default)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.may_search = [](const TunerOptions&) { return true; };
       }},
      {"forced_search_hits", "uses a stored winner although a search is forced",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.must_search = [](const TunerOptions&) { return false; };
       }},
      {"stores_the_default",
       "where it may not search, it tries the default config alone and stores it as the winner, so "
       "that "
       "nobody ever searches",
       plant_stores_the_default},
      {"first_config_unsearched",
       "where it may not search, it launches the first config and not the default one",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.choose_unsearched = [](const TuneRequest&, std::span<const Config> configs) {
           return configs.empty() ? std::nullopt : std::optional<std::size_t>(0);
         };
       }},
      {"tunes_again_later",
       "tunes a key again after eight calls of a process, in the middle of its work (vllm#37338)",
       plant_tunes_again_later},
      {"tunes_after_first_result",
       "hands out the result of the default config in a process's first call, and tunes in the "
       "second (vllm#39822)",
       plant_tunes_after_first_result},
      {"key_with_classes_of_scalars",
       "tunes again needlessly because the key holds whether a number that decides nothing is 1 or "
       "divisible by 16 (fla#1147)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.key_axes.push_back({"scalar_classes",
                                         "whether scalars are 1 or divisible by 16",
                                         AxisMoment::call_in_detail, false, classes_of_scalars});
       }},
  };
}

}  // namespace tunecheck::mutants
