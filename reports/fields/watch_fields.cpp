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

const Words<WatchResult::LaunchKind>& words_of(Of<WatchResult::LaunchKind>) {
  using Kind = WatchResult::LaunchKind;
  static const Words<Kind> words = {{Kind::trial, "trial"},
                                    {Kind::winner, "winner"},
                                    {Kind::launch, "launch"},
                                    {Kind::counted, "counted"}};
  return words;
}

const Words<WatchResult::Replayed>& words_of(Of<WatchResult::Replayed>) {
  using Replayed = WatchResult::Replayed;
  static const Words<Replayed> words = {{Replayed::not_asked, "not_asked"},
                                        {Replayed::same, "same"},
                                        {Replayed::differs, "differs"},
                                        {Replayed::not_steady, "not_steady"},
                                        {Replayed::on_copies, "on_copies"}};
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
       {"compiles", &T::compiles, {.says = "starts of compilers, and compiles inside a process"}},
       {"compilers_seen", &T::compilers_are_seen, {.is_newer = true}},
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
                                   "a line of the program",
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
       {"place", &T::place, {.says = "where the program launches the kernel"}},
       {"definition",
        &T::definition,
        {.says = "where the function of Python begins that the kernel is made of",
         .is_newer = true}},
       {"run", &T::run, {.says = "the first that showed it"}},
       {"text", &T::text},
       {"details", &T::details},
       {"allowed", &T::is_allowed, {.says = "by --allow"}},
       {"new", &T::is_new, {.says = "false: the baseline has it"}}}};
  return fields;
}

const Fields<WatchResult::Settled>& fields_of(Of<WatchResult::Settled>) {
  using T = WatchResult::Settled;
  static const Fields<T> fields = {
      "WatchSettled",
      "what a kernel's launches with some shapes ended with",
      {{"shapes", &T::shapes},
       {"codes",
        &T::codes,
        {.says = "for each run the code that was launched last, empty without a launch"}}}};
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
       {"trials", &T::trials, {.says = "for each run"}},
       {"tuning_ns",
        &T::tuning_ns,
        {.says = "for each run, from the first to the last launch of tunings", .is_newer = true}},
       {"settled", &T::settled, {.is_newer = true}},
       {"settled_left_out", &T::settled_left_out, {.says = "further shapes", .is_newer = true}}}};
  return fields;
}

const Fields<WatchResult::Span>& fields_of(Of<WatchResult::Span>) {
  using T = WatchResult::Span;
  static const Fields<T> fields = {
      "WatchSpan",
      "launches of one code",
      {{"kind",
        &T::kind,
        {.says = "winner: after the trials; launch: in no tuning; counted: not looked at"}},
       {"code", &T::code, {.says = "a place in the codes of the timeline"}},
       {"from_ns", &T::from_ns, {.says = "since the run began"}},
       {"to_ns", &T::to_ns},
       {"launches", &T::launches}}};
  return fields;
}

const Fields<WatchResult::Call>& fields_of(Of<WatchResult::Call>) {
  using T = WatchResult::Call;
  static const Fields<T> fields = {
      "WatchCall",
      "launches of a kernel on the same arguments, or several such of one code",
      {{"run", &T::run, {.says = "a place in the runs"}},
       {"process", &T::process},
       {"rank", &T::rank, {.says = "of the process"}},
       {"stream", &T::stream, {.says = "of the process, or its thread on a CPU; from 0"}},
       {"repeated", &T::repeated, {.says = "calls that this stands for"}},
       {"numbers", &T::numbers, {.says = "the arguments that are no tensors"}},
       {"replayed",
        &T::replayed,
        {.says = "how one clean launch of the winner compares with what the call left"}},
       {"measured", &T::measured, {.says = "launches before which a clock had been read"}},
       {"spoilt",
        &T::spoilt,
        {.says = "launches before the winner's that found another content than the first one"}},
       {"restored",
        &T::restored,
        {.says = "launches that found the first content again, after another had been left"}},
       {"spans", &T::spans}}};
  return fields;
}

const Fields<WatchResult::Timeline>& fields_of(Of<WatchResult::Timeline>) {
  using T = WatchResult::Timeline;
  static const Fields<T> fields = {
      "WatchTimeline",
      "when a tuned kernel was launched, in all runs",
      {{"kernel", &T::kernel},
       {"shapes", &T::shapes},
       {"place", &T::place},
       {"definition", &T::definition},
       {"codes", &T::codes},
       {"calls", &T::calls, {.says = "by run, process, stream and time"}},
       {"spans_left_out", &T::spans_left_out}}};
  return fields;
}

const Fields<WatchResult::SectionTuning>& fields_of(Of<WatchResult::SectionTuning>) {
  using T = WatchResult::SectionTuning;
  static const Fields<T> fields = {
      "WatchSectionTuning",
      "several codes that were tried on the same arguments",
      {{"kernel", &T::kernel},
       {"shapes", &T::shapes},
       {"place", &T::place},
       {"certain",
        &T::is_certain,
        {.says = "false: the program may launch these codes on purpose"}},
       {"codes", &T::codes},
       {"launches", &T::launches}}};
  return fields;
}

const Fields<WatchResult::Section>& fields_of(Of<WatchResult::Section>) {
  using T = WatchResult::Section;
  static const Fields<T> fields = {
      "WatchSection",
      "a part of a run that the program named, such as one test",
      {{"run", &T::run, {.says = "a place in the runs"}},
       {"name", &T::name},
       {"process", &T::process},
       {"from_ns", &T::from_ns, {.says = "since the run began"}},
       {"to_ns", &T::to_ns},
       {"compiles",
        &T::compiles,
        {.says = "starts of compilers, and compiles inside a process, by its process and what that "
                 "starts"}},
       {"unclear_compiles",
        &T::unclear_compiles,
        {.says = "whose starter is not known, while several sections were under way"}},
       {"commands", &T::commands, {.says = "the first compilers"}},
       {"kernels",
        &T::kernels,
        {.says = "that were launched in it, other than those whose launches were only counted by "
                 "then"}},
       {"tunings", &T::tunings, {.says = "by kernel and shapes"}}}};
  return fields;
}

const Fields<WatchResult>& fields_of(Of<WatchResult>) {
  using T = WatchResult;
  static const Fields<T> fields = {
      "Watch",
      "",
      {schema_field<T>(watch_schema_version),
       {"tunecheck_version", &T::tunecheck},
       {"started", &T::started, {.says = "when the first run began, in UTC", .is_newer = true}},
       {"watched", &T::command, {.says = "the program and its arguments"}},
       {"options",
        &T::options,
        {.says = "of the watch, as its user gave them, without --out", .is_newer = true}},
       {"folder", &T::folder, {.says = "with the evidence of each run"}},
       {"interrupted", &T::is_interrupted},
       {"never_ready",
        &T::was_never_ready,
        {.says = "it was to be noticed when the program is ready, and no run became so",
         .is_newer = true}},
       {"runs", &T::runs},
       {"findings", &T::findings, {.says = "the gravest first"}},
       {"kernels", &T::kernels, {.says = "by name"}},
       {"notes", &T::notes, {.says = "what could not be seen, and what else is worth knowing"}},
       {"timelines", &T::timelines, {.says = "of kernels that are tuned", .is_newer = true}},
       {"timelines_left_out", &T::timelines_left_out, {.is_newer = true}},
       {"sections",
        &T::sections,
        {.says = "if the program named any; by run and time", .is_newer = true}}}};
  return fields;
}

}  // namespace tunecheck
