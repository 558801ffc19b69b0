#pragma once
// The fields of what `tunecheck watch --diff` finds.
#include "reports/fields/field.hpp"
#include "result/watch_diff.hpp"

namespace tunecheck {

[[nodiscard]] const Words<WatchDiff::Change>& words_of(Of<WatchDiff::Change>);
[[nodiscard]] const Fields<WatchDiff::Numbers>& fields_of(Of<WatchDiff::Numbers>);
[[nodiscard]] const Fields<WatchDiff::Pair>& fields_of(Of<WatchDiff::Pair>);
[[nodiscard]] const Fields<WatchDiff::Finding>& fields_of(Of<WatchDiff::Finding>);
[[nodiscard]] const Fields<WatchDiff::Run>& fields_of(Of<WatchDiff::Run>);
[[nodiscard]] const Fields<WatchDiff::Winner>& fields_of(Of<WatchDiff::Winner>);
[[nodiscard]] const Fields<WatchDiff::Kernel>& fields_of(Of<WatchDiff::Kernel>);
[[nodiscard]] const Fields<WatchDiff>& fields_of(Of<WatchDiff>);

}  // namespace tunecheck
