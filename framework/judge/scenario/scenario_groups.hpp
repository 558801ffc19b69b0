#pragma once
// How processes of a scenario that run at the same time wait for each other.
#include <set>
#include <string>

#include "core/info.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// `cache_folder NAME`; a mistake goes to `errors`, here and below.
[[nodiscard]] std::string read_cache_folder(const InfoNode& node, InfoErrors& errors);

/// `barrier NAME`, in a process that has (`has_call`) made a call before.
[[nodiscard]] BarrierStep read_barrier(const InfoNode& node, bool has_call, InfoErrors& errors);

/// `rest SECONDS`, likewise.
[[nodiscard]] RestStep read_rest(const InfoNode& node, bool has_call, InfoErrors& errors);

/// The last process of the group, as far as it has been read, may wait only for an earlier one:
/// nobody waits in a circle.
/// Calls right after one that does not wait are alike and do not wait either: the work of its
/// search cannot be told from theirs. A rest comes before all others.
void check_rests(const ProcessStep& process, InfoErrors& errors);
/// A call that is killed gives no answer of which anything else could be expected.
void expect_nothing_else(const CallStep& killed, InfoErrors& errors);
/// `node` is the only kill, freeze or fail of its process.
void expect_first(bool has_one, const InfoNode& node, InfoErrors& errors);
void check_waits_for(const ProcessGroup& group, InfoErrors& errors);

/// Every process names the same barriers in the same order, and asks something after each: else
/// one would be waited for that never comes.
void check_barriers(const ProcessGroup& group, InfoErrors& errors);

/// A process that runs alone meets nobody.
void check_alone(const ProcessStep& process, InfoErrors& errors);

}  // namespace tunecheck
