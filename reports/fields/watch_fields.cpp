#include "reports/fields/watch_fields.hpp"

namespace tunecheck {

const Words<WatchWord>& words_of(Of<WatchWord>) {
  static const Words<WatchWord> words = [] {
    Words<WatchWord> all;
    for (const WatchWord word : all_watch_words())
      all.emplace_back(word, name_of(word));
    return all;
  }();
  return words;
}

const Fields<WatchResult::Run>& fields_of(Of<WatchResult::Run>) {
  using T = WatchResult::Run;
  static const Fields<T> fields = {
      "WatchRun",
      "one run of the program",
      {{"name", &T::name, {.says = "cold, warm 1, ..."}},
       {"end", &T::end, {.says = "how the program ended"}},
       {"succeeded", &T::succeeded, {.says = "it ended with status 0"}},
       {"wall_ns", &T::wall_ns},
       {"processes", &T::processes, {.says = "that launched kernels"}},
       {"compiles", &T::compiles, {.says = "starts of compilers"}},
       {"launches", &T::launches, {.says = "of kernels"}},
       {"trials", &T::trials, {.says = "launches in a tuning, other than the winner's own"}},
       {"ready_after_ns",
        &T::ready_after_ns,
        {.says = "from its start; missing where it never became ready, or nobody said how to "
                 "tell"}}}};
  return fields;
}

const Fields<WatchResult::Place>& fields_of(Of<WatchResult::Place>) {
  using T = WatchResult::Place;
  static const Fields<T> fields = {"WatchPlace",
                                   "where the program launches the kernel",
                                   {{"file", &T::file, {.says = "empty where it is not known"}},
                                    {"line", &T::line, {.says = "0 where it is not known"}},
                                    {"function", &T::function}}};
  return fields;
}

const Fields<WatchResult::Finding>& fields_of(Of<WatchResult::Finding>) {
  using T = WatchResult::Finding;
  static const Fields<T> fields = {
      "WatchFinding",
      "",
      {{"word", &T::word, {.says = "its stable name"}},
       {"certain",
        &T::is_certain,
        {.says = "false: the evidence does not decide, and the text says why"}},
       {"kernel", &T::kernel, {.says = "empty where it is of the whole program"}},
       {"shapes", &T::shapes, {.says = "of the tensors of the first launch that showed it"}},
       {"place", &T::place},
       {"run", &T::run, {.says = "the first that showed it"}},
       {"text", &T::text},
       {"details", &T::details},
       {"allowed", &T::is_allowed, {.says = "by --allow"}},
       {"new", &T::is_new, {.says = "false: the baseline has it"}}}};
  return fields;
}

const Fields<WatchResult::Kernel>& fields_of(Of<WatchResult::Kernel>) {
  using T = WatchResult::Kernel;
  static const Fields<T> fields = {
      "WatchKernel",
      "a kernel that was launched",
      {{"name", &T::name},
       {"codes", &T::codes, {.says = "different ones in the first run"}},
       {"launches", &T::launches, {.says = "for each run"}},
       {"trials", &T::trials, {.says = "for each run"}}}};
  return fields;
}

const Fields<WatchResult>& fields_of(Of<WatchResult>) {
  using T = WatchResult;
  static const Fields<T> fields = {
      "Watch",
      "",
      {schema_field<T>(watch_schema_version),
       {"tunecheck_version", &T::tunecheck},
       {"watched", &T::command, {.says = "the program and its arguments"}},
       {"folder", &T::folder, {.says = "with the evidence of each run"}},
       {"interrupted", &T::is_interrupted},
       {"never_ready",
        &T::was_never_ready,
        {.says = "it was to be noticed when the program is ready, and no run became so"}},
       {"runs", &T::runs},
       {"findings", &T::findings, {.says = "the gravest first"}},
       {"kernels", &T::kernels, {.says = "by name"}},
       {"notes", &T::notes, {.says = "what could not be seen, and what else is worth knowing"}}}};
  return fields;
}

}  // namespace tunecheck
