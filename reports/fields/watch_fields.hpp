#pragma once
// The fields of watch.json.
#include <string_view>

#include "reports/fields/field.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

/// Version of watch.json. A field that changes its meaning or goes away raises the major number, a
/// new field the minor one.
inline constexpr std::string_view watch_schema_version = "1.2.0";

[[nodiscard]] const Words<WatchWord>& words_of(Of<WatchWord>);
[[nodiscard]] const Words<WatchResult::LaunchKind>& words_of(Of<WatchResult::LaunchKind>);
[[nodiscard]] const Words<WatchResult::Replayed>& words_of(Of<WatchResult::Replayed>);
[[nodiscard]] const Fields<WatchResult::Run>& fields_of(Of<WatchResult::Run>);
[[nodiscard]] const Fields<WatchResult::Place>& fields_of(Of<WatchResult::Place>);
[[nodiscard]] const Fields<WatchResult::Finding>& fields_of(Of<WatchResult::Finding>);
[[nodiscard]] const Fields<WatchResult::Settled>& fields_of(Of<WatchResult::Settled>);
[[nodiscard]] const Fields<WatchResult::Kernel>& fields_of(Of<WatchResult::Kernel>);
[[nodiscard]] const Fields<WatchResult::Span>& fields_of(Of<WatchResult::Span>);
[[nodiscard]] const Fields<WatchResult::Call>& fields_of(Of<WatchResult::Call>);
[[nodiscard]] const Fields<WatchResult::Timeline>& fields_of(Of<WatchResult::Timeline>);
[[nodiscard]] const Fields<WatchResult::SectionTuning>& fields_of(Of<WatchResult::SectionTuning>);
[[nodiscard]] const Fields<WatchResult::Section>& fields_of(Of<WatchResult::Section>);
[[nodiscard]] const Fields<WatchResult>& fields_of(Of<WatchResult>);

}  // namespace tunecheck
