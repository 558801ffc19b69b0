#include "reports/fields/watch_diff_fields.hpp"

#include "reports/fields/watch_fields.hpp"

namespace tunecheck {

const Words<WatchDiff::Change>& words_of(Of<WatchDiff::Change>) {
  using Change = WatchDiff::Change;
  static const Words<Change> words = {
      {Change::added, "new"}, {Change::fixed, "fixed"}, {Change::still, "still"}};
  return words;
}

const Fields<WatchDiff::Numbers>& fields_of(Of<WatchDiff::Numbers>) {
  using T = WatchDiff::Numbers;
  static const Fields<T> fields = {
      "WatchNumbers",
      "",
      {{"launches", &T::launches},
       {"trials", &T::trials},
       {"compiles", &T::compiles, {.says = "of a run; 0 for a kernel"}},
       {"ns", &T::ns, {.says = "of a run its whole time, of a kernel that of its tunings"}}}};
  return fields;
}

const Fields<WatchDiff::Pair>& fields_of(Of<WatchDiff::Pair>) {
  using T = WatchDiff::Pair;
  static const Fields<T> fields = {"WatchPair", "", {{"before", &T::before}, {"now", &T::now}}};
  return fields;
}

const Fields<WatchDiff::Finding>& fields_of(Of<WatchDiff::Finding>) {
  using T = WatchDiff::Finding;
  static const Fields<T> fields = {
      "WatchFindingChange",
      "",
      {{"change", &T::change},
       {"worse", &T::is_worse},
       {"was_unclear", &T::was_unclear, {.says = "the earlier watch was not certain of it"}},
       {"finding", &T::finding, {.says = "as the later watch has it, if it is not fixed"}}}};
  return fields;
}

const Fields<WatchDiff::Run>& fields_of(Of<WatchDiff::Run>) {
  using T = WatchDiff::Run;
  static const Fields<T> fields = {
      "WatchRunChange", "", {{"name", &T::name}, {"numbers", &T::numbers}}};
  return fields;
}

const Fields<WatchDiff::Winner>& fields_of(Of<WatchDiff::Winner>) {
  using T = WatchDiff::Winner;
  static const Fields<T> fields = {
      "WatchWinnerChange",
      "another code was launched last",
      {{"shapes", &T::shapes}, {"run", &T::run}, {"before", &T::before}, {"now", &T::now}}};
  return fields;
}

const Fields<WatchDiff::Kernel>& fields_of(Of<WatchDiff::Kernel>) {
  using T = WatchDiff::Kernel;
  static const Fields<T> fields = {
      "WatchKernelChange",
      "",
      {{"name", &T::name},
       {"cold", &T::cold, {.says = "of the first run"}},
       {"warm", &T::warm, {.says = "of the other runs, the most of each number"}},
       {"winners", &T::winners, {.says = "that are others"}}}};
  return fields;
}

const Fields<WatchDiff>& fields_of(Of<WatchDiff>) {
  using T = WatchDiff;
  static const Fields<T> fields = {
      "WatchDiff",
      "",
      {schema_field<T>(watch_schema_version),
       {"tunecheck_version", &T::tunecheck},
       {"before", &T::before, {.says = "a file"}},
       {"now", &T::now, {.says = "a file"}},
       {"exit_status", &T::exit_status, {.says = "1 where something is worse"}},
       {"why_untrusted", &T::why_untrusted, {.says = "empty where both are to be trusted"}},
       {"findings", &T::findings, {.says = "new ones first"}},
       {"runs", &T::runs},
       {"kernels", &T::kernels, {.says = "of which something differs but the time"}}}};
  return fields;
}

}  // namespace tunecheck
