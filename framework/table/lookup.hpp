#pragma once
// Which config of an offline table is launched for a call, if one is.
#include <span>
#include <string>
#include <string_view>

#include "table/offline_table.hpp"

namespace tunecheck::table {

/// What came of a table.
enum class Use {
  none,     ///< there is no table
  exact,    ///< it has the call's sizes
  nearest,  ///< it has sizes near to them
  absent,   ///< it has no entry for the call
  refused,  ///< it cannot be read, or its entry must not be used
};
[[nodiscard]] std::string_view name_of(Use use);

/// A call as tables know it.
struct Question {
  std::string kernel;
  Device device;
  std::map<std::string, DType> dtypes;
  Sizes sizes;
  std::string code;                 ///< code_digest() of the kernel now
  std::span<const Config> allowed;  ///< its configs at these sizes; outlives the question
};

struct Choice {
  Use use = Use::absent;
  Config config;       ///< where use is exact or nearest
  Sizes sizes;         ///< of its entry
  std::string reason;  ///< for a person, where use is another
};

/// A size of an entry may be so many times the call's, or the call's so many times the entry's.
inline constexpr double farthest_ratio = 4;

/// Entries for another device, other dtypes or other code never serve. Among the rest, the one with
/// the call's sizes; else the nearest one: the smallest sum of |log2(size / the call's)| over all
/// sizes, each size within farthest_ratio, and of several at one distance the one with the smaller
/// sizes. An entry whose config is not allowed is passed over.
[[nodiscard]] Choice look_up(const OfflineTable& table, const Question& question);

/// The steps of look_up(), for those who need another rule. |log2| summed; none where the names of
/// the sizes are not the same, or one is too far away.
[[nodiscard]] std::optional<double> distance(const Sizes& entry, const Sizes& call);

}  // namespace tunecheck::table
