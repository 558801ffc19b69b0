// Made by tunecheck-fields from the lists in reports/fields: what files of tunecheck hold.

/** where the time went; own_ns is the judge's own part */
export interface Stages {
  prepare_ns: number;
  adapter_ns: number;
  reference_ns: number;
  evidence_ns: number;
  check_ns: number;
  own_ns: number;
  total_ns: number;
}

/** what a part of a run or an audit that was divided among machines says of the whole */
export interface Shard {
  /** from 1 */
  number: number;
  /** of parts */
  count: number;
  /** of all parts; of an audit with each tuner that runs them */
  scenarios: number;
  /** digest of their names: parts of one run have the same */
  selection: string;
  /** of a matrix: all of them, each of which has as many parts */
  tuners: string[];
}

/** a scenario that does not run on this kind of device */
export interface LeftOut {
  name: string;
  reason: string;
  /** that its calls name */
  checks: string[];
}

/** the answer of a check about a call or a process */
export interface Check {
  check: string;
  verdict: "pass" | "fail" | "unsupported" | "error" | "known";
  /** its name in the scenario */
  process: string;
  /** number of the call in its process, from 1; 0 for the process itself */
  call: number;
  /** in the scenario's file */
  line: number;
  expected: string;
  observed: string;
  /** files */
  evidence: string[];
}

export interface TriedConfig {
  /** "block=64,vec=4"; "artifact DIGEST" if the config is not known */
  config: string;
  is_winner: boolean;
  /** what the kernel file would choose */
  is_default: boolean;
  /** why it cannot win, as the tuner says */
  failure: string;
  /** of a launch, as the tuner says; 0 if it does not */
  median_ns: number;
  /** likewise */
  reps: number;
  /** as the judge measured; 0 if it did not */
  own_median_ns: number;
  /** why it did not run for the judge */
  own_failure: string;
  /** trials that observers saw */
  launches: number;
  /** how long the successful ones took, ascending; if there are more than 32, that many quantiles, from the least to the greatest. None on a GPU, where a launch only enqueues */
  samples_ns: number[];
}

/** launches of one config in a row are one event */
export interface CallEvent {
  /** launch: the one on the caller's arguments; captured: into a graph, not run */
  kind: "compile" | "trials" | "launch" | "captured" | "burst" | "fault" | "killed";
  /** since the call was asked */
  at_ns: number;
  /** 0 if it has no length */
  wall_ns: number;
  /** empty if it is not known */
  config: string;
  /** launches, else 1 */
  count: number;
  /** of them */
  failed: number;
  /** launches that saw arguments other than they should */
  differing: number;
  /** a compile that the spy's store answered */
  from_store: boolean;
  /** of a fault: at which point of which file */
  text: string;
}

/** one tuned call: what was asked, what the tuner says, what observers saw */
export interface Call {
  /** in its process */
  number: number;
  /** in the scenario's file */
  line: number;
  /** since the scenario's first call was asked */
  asked_ns: number;
  /** until the answer; for concurrent calls, until the answers of all of them */
  wall_ns: number;
  outcome: "done" | "failed" | "no answer";
  /** of the tuner; cut after 400 bytes */
  message: string;
  /** as it says */
  cache: "hit" | "miss" | "stale" | "disabled" | "";
  missed_axes: string[];
  /** a config; empty if there is none */
  winner: string;
  /** empty for the device's own */
  arch: string;
  sizes: Record<string, number>;
  /** that one launch moves; 0 if the kernel file does not say */
  bytes: number;
  /** likewise */
  flops: number;
  /** seen by the compiler spy */
  compiles: number;
  /** seen by the probe */
  launches: number;
  /** all except the caller's own */
  trial_launches: number;
  /** of a call that tuned, at most 256: the winner and the default, then the fastest, those that failed last */
  configs: TriedConfig[];
  configs_left_out: number;
  /** what observers saw, in the order of time; the first 100 */
  events: CallEvent[];
  events_left_out: number;
}

export interface Process {
  name: string;
  /** how it ended, in words */
  end: string;
  /** meaningful if signal is 0 */
  exit_status: number;
  signal: number;
  timed_out: boolean;
  wall_ns: number;
  cpu_ns: number;
  peak_memory_kib: number;
  compiles: number;
  compiles_from_store: number;
  launches: number;
  log: string;
  /** the first 100 */
  calls: Call[];
  calls_left_out: number;
}

/** the mark that a scenario was judged by, regardless of its verdict */
export interface Mark {
  /** that may fail; none: any may */
  checks: string[];
  reason: string;
  link: string;
  /** the last day on which it holds, YYYY-MM-DD */
  until: string;
  /** where the scenario passes as well: yes, or how many runs of how many were seen to fail */
  at_times: string;
  line: number;
  file: string;
}

export interface Scenario {
  name: string;
  family: string;
  file: string;
  line: number;
  because: string;
  kernel: string;
  adapter: string;
  /** empty if it did not answer */
  tuner: string;
  /** likewise */
  device: string;
  verdict: "pass" | "fail" | "unsupported" | "error" | "known";
  /** if no check says why */
  message: string;
  /** what the adapter would have to have, such as "capability threads" */
  lacks: string;
  checks: Check[];
  /** checks that its calls name and that could not be asked */
  unanswered: string[];
  processes: Process[];
  stages: Stages;
  wall_ns: number;
  /** empty if it was not kept */
  workspace: string;
  /** the command that repeats this scenario */
  repro: string;
  known?: Mark;
}

/** Times are nanoseconds, files are relative to the folder of result.json. */
export interface Run {
  schema: string;
  tunecheck_version: string;
  /** UTC, ISO 8601 */
  started: string;
  adapter: string;
  /** its adapter.info; empty if the result is older */
  adapter_file: string;
  /** name and version as the adapter says; empty if it never answered */
  tuner: string;
  backend: string;
  seed: number;
  /** scenarios at once */
  jobs: number;
  /** facts about the machine */
  environment: Record<string, string>;
  /** 0 all held, or failed as known; 1 a check failed; 4 not to be trusted */
  exit_status: number;
  /** scenarios by verdict */
  counts: Record<string, number>;
  wall_ns: number;
  stages: Stages;
  /** own_ns of total_ns */
  judge_share: number;
  /** why nothing could be run; empty if it could */
  trouble: string;
  /** false while it runs, and for a run that was interrupted: scenarios are pending */
  complete: boolean;
  /** scenarios that were not run yet: none unless the run was interrupted */
  pending: string[];
  shard?: Shard;
  left_out: LeftOut[];
  scenarios: Scenario[];
}

/** a planted bug */
export interface Mutant {
  name: string;
  summary: string;
}

/** a planted bug in a scenario that says it catches it */
export interface Kill {
  mutant: string;
  scenario: string;
  /** those that failed; none: the scenario did not notice */
  checks: string[];
  verdict: "pass" | "fail" | "unsupported" | "error" | "known";
  message: string;
  /** of an adversary: the check that must fail, or the verdict "pass" or "error"; of another tuner's mutant: the check; otherwise empty */
  expects: string;
}

export interface Audit {
  schema: string;
  tunecheck_version: string;
  /** UTC, ISO 8601 */
  started: string;
  /** 0 complete; 1 something is missing */
  exit_status: number;
  wall_ns: number;
  /** planted bugs that no scenario noticed */
  surviving_mutants: string[];
  /** checks that no planted bug makes fail */
  unkilled_checks: string[];
  /** "mutant in scenario", if the scenario says that it catches the mutant */
  false_claims: string[];
  /** then the lists of what survives and is not killed are empty: others may have caught it */
  shard?: Shard;
  /** one scenario per mutant, and a selection for the true tuner */
  quick: boolean;
  /** planted bugs that only scenarios for another kind of device name */
  elsewhere: string[];
  mutants: Mutant[];
  checks: string[];
  kills: Kill[];
  /** the true tuner on every scenario */
  reference: Run;
}

/** of the rule; docs/gate-rule.md */
export interface GateSettings {
  delta: number;
  tolerance: number;
  alpha: number;
  same_alpha: number;
  pass_alpha: number;
  planned_power: number;
  stated_power: number;
  planted: number;
  screen_pairs: number;
  least_pairs: number;
  most_pairs: number;
}

export interface GateSide {
  /** as the command line named it */
  given: string;
  /** of the build; empty of recordings and of a stored run */
  folder: string;
  /** of a revision; empty of a folder */
  commit: string;
  /** name and version as the adapter says */
  tuner: string;
  /** digests of program and kernels */
  environment: Record<string, string>;
}

/** one fresh process */
export interface MeasuredProcess {
  /** why there is no result; else empty */
  failure: string;
  /** of samples; null if there is none */
  median: number | null;
  /** in the unit of the benchmark; null: no finite number */
  samples: (number | null)[];
  /** of cpu_samples; null if there is none */
  cpu_median: number | null;
  /** CPU time of what samples has the wall time of; empty if it is not known, or if the benchmark is about another time */
  cpu_samples: (number | null)[];
  /** how long the first thread neither worked nor waited for a core, as a share of the CPU time; null: not known */
  waited: number | null;
  /** how often a thread waited for anything; -1: not known */
  waits: number;
}

export interface GatePair {
  /** the process that ran first */
  first: "base" | "head";
  base: MeasuredProcess;
  head: MeasuredProcess;
}

export interface GateBenchmark {
  name: string;
  /** what is measured; docs/gate.md */
  metric: string;
  /** empty if there is none */
  kernel: string;
  /** empty if there is none */
  size: string;
  backend: string;
  unit: string;
  /** same and slowed are canaries */
  role: "measured" | "same" | "slowed";
  /** the benchmark whose processes a canary runs; else empty */
  canary_of: string;
  /** how the head of a canary is slowed down: by work in the process, by stopping it, by a longer launch, by taking its answer late, by a loop in the kernel; else empty */
  slowed_by: "" | "work" | "stops" | "launch" | "answer" | "loop";
  /** false: it still needed pairs */
  settled: boolean;
  /** inconclusive until settled */
  answer: "pass" | "improved" | "inconclusive" | "regression" | "invalid";
  reason: string;
  /** the time that the changes are of: CPU time only if wall time could not decide */
  decided_by: "wall_time" | "cpu_time";
  /** estimated; null: none */
  change: number | null;
  /** null: not bounded */
  at_least: number | null;
  /** null: not bounded */
  at_most: number | null;
  /** null: not known */
  detectable: number | null;
  screen_pairs: number;
  confirmation_pairs: number;
  /** the median of the processes' medians; null: none */
  base_median: number | null;
  head_median: number | null;
  /** if kind is stored, records of one process each: the other side has no sample */
  pairs: GatePair[];
}

/** what is counted, not timed */
export interface GateCount {
  name: string;
  /** what is measured; docs/gate.md */
  metric: string;
  /** empty if there is none */
  kernel: string;
  /** empty if there is none */
  size: string;
  backend: string;
  unit: string;
  answer: "pass" | "improved" | "inconclusive" | "regression" | "invalid";
  reason: string;
  /** of each process */
  base: number[];
  head: number[];
}

/** the tunings of base and head chose differently */
export interface WinnerChange {
  kernel: string;
  size: string;
  backend: string;
  /** the config that won most often */
  base: string;
  head: string;
  /** tunings that chose a config */
  base_winners: Record<string, number>;
  head_winners: Record<string, number>;
  /** the name of the benchmark that measures one config against the other; empty: none */
  benchmark: string;
  /** why there is none; else empty */
  reason: string;
}

export interface Renaming {
  base: string;
  head: string;
}

export interface NotMeasured {
  name: string;
  reason: string;
}

/** Changes are those of the head against the base: 0.05 is 5 % slower, -0.05 5 % faster. */
export interface Gate {
  schema: string;
  tunecheck_version: string;
  /** UTC, ISO 8601 */
  started: string;
  /** processes of an adapter; of a Google Benchmark program; its JSON files; processes of an adapter against a stored run */
  kind: "adapter" | "google_benchmark" | "recordings" | "stored";
  /** empty if kind is google_benchmark or recordings */
  adapter: string;
  backend: string;
  /** of the order of the processes */
  seed: number;
  settings: GateSettings;
  /** about the machine */
  environment: Record<string, string>;
  /** whether processes were pinned, and to which CPU */
  pinning: string;
  wall_ns: number;
  /** false: the session was still running when this was written, or was interrupted */
  complete: boolean;
  /** of the whole session; invalid until complete */
  answer: "pass" | "improved" | "inconclusive" | "regression" | "invalid";
  /** why it is invalid, and what to do; else empty */
  reason: string;
  /** the smallest slowdown that every measured benchmark would have shown with the probability stated_power; null: not known */
  detectable: number | null;
  fail_on_inconclusive: boolean;
  /** 0 nothing is slower; 2 a regression; 4 not to be trusted; 5 inconclusive, if that counts as a failure */
  exit_status: number;
  base: GateSide;
  head: GateSide;
  benchmarks: GateBenchmark[];
  counts: GateCount[];
  winner_changes: WinnerChange[];
  /** benchmarks that only the head has */
  added: string[];
  /** benchmarks that only the base has */
  removed: string[];
  /** benchmarks that may have another name in the head; also in removed and added */
  renamed: Renaming[];
  /** what was asked for and cannot be measured */
  not_measured: NotMeasured[];
}

/** one run of the program */
export interface WatchRun {
  /** cold, warm 1, ... */
  name: string;
  /** how the program ended */
  end: string;
  /** it ended with status 0 */
  succeeded: boolean;
  wall_ns: number;
  /** that launched kernels */
  processes: number;
  /** starts of compilers, and compiles inside a process */
  compiles: number;
  compilers_seen: boolean;
  /** of kernels */
  launches: number;
  /** launches in a tuning, other than the winner's own */
  trials: number;
  /** from its start; missing where it never became ready, or nobody said how to tell */
  ready_after_ns?: number;
}

/** a line of the program */
export interface WatchPlace {
  /** empty where it is not known */
  file: string;
  /** 0 where it is not known */
  line: number;
  function: string;
}

export interface WatchFinding {
  /** its stable name */
  word: "WRONG" | "STALE" | "RANKS" | "CHANGED" | "SPOILT" | "AGAIN" | "COMPILED" | "LATE" | "EVERY_STEP";
  /** false: the evidence does not decide, and the text says why */
  certain: boolean;
  /** empty where it is of the whole program */
  kernel: string;
  /** of the tensors of the first launch that showed it */
  shapes: string;
  /** where the program launches the kernel */
  place: WatchPlace;
  /** where the function of Python begins that the kernel is made of */
  definition: WatchPlace;
  /** the first that showed it */
  run: string;
  text: string;
  details: string[];
  /** by --allow */
  allowed: boolean;
  /** false: the baseline has it */
  new: boolean;
}

/** what a kernel's launches with some shapes ended with */
export interface WatchSettled {
  shapes: string;
  /** for each run the code that was launched last, empty without a launch */
  codes: string[];
}

/** a kernel that was launched */
export interface WatchKernel {
  name: string;
  /** different ones in the first run */
  codes: number;
  /** for each run */
  launches: number[];
  /** for each run */
  trials: number[];
  /** for each run, from the first to the last launch of tunings */
  tuning_ns: number[];
  settled: WatchSettled[];
  /** further shapes */
  settled_left_out: number;
}

/** launches of one code */
export interface WatchSpan {
  /** winner: after the trials; launch: in no tuning; counted: not looked at */
  kind: "trial" | "winner" | "launch" | "counted";
  /** a place in the codes of the timeline */
  code: number;
  /** since the run began */
  from_ns: number;
  to_ns: number;
  launches: number;
}

/** launches of a kernel on the same arguments, or several such of one code */
export interface WatchCall {
  /** a place in the runs */
  run: number;
  process: number;
  /** of the process */
  rank: string;
  /** of the process, or its thread on a CPU; from 0 */
  stream: number;
  /** calls that this stands for */
  repeated: number;
  /** the arguments that are no tensors */
  numbers: string;
  /** how one clean launch of the winner compares with what the call left */
  replayed: "not_asked" | "same" | "differs" | "not_steady" | "on_copies";
  /** launches before which a clock had been read */
  measured: number;
  /** launches before the winner's that found another content than the first one */
  spoilt: number;
  /** launches that found the first content again, after another had been left */
  restored: number;
  spans: WatchSpan[];
}

/** when a tuned kernel was launched, in all runs */
export interface WatchTimeline {
  kernel: string;
  shapes: string;
  place: WatchPlace;
  definition: WatchPlace;
  codes: string[];
  /** by run, process, stream and time */
  calls: WatchCall[];
  spans_left_out: number;
}

/** several codes that were tried on the same arguments */
export interface WatchSectionTuning {
  kernel: string;
  shapes: string;
  place: WatchPlace;
  /** false: the program may launch these codes on purpose */
  certain: boolean;
  codes: string[];
  launches: number;
}

/** a part of a run that the program named, such as one test */
export interface WatchSection {
  /** a place in the runs */
  run: number;
  name: string;
  process: number;
  /** since the run began */
  from_ns: number;
  to_ns: number;
  /** starts of compilers, and compiles inside a process, by its process and what that starts */
  compiles: number;
  /** whose starter is not known, while several sections were under way */
  unclear_compiles: number;
  /** the first compilers */
  commands: string[];
  /** that were launched in it, other than those whose launches were only counted by then */
  kernels: string[];
  /** by kernel and shapes */
  tunings: WatchSectionTuning[];
}

export interface Watch {
  schema: string;
  tunecheck_version: string;
  /** when the first run began, in UTC */
  started: string;
  /** the program and its arguments */
  watched: string[];
  /** of the watch, as its user gave them, without --out */
  options: string[];
  /** with the evidence of each run */
  folder: string;
  interrupted: boolean;
  /** it was to be noticed when the program is ready, and no run became so */
  never_ready: boolean;
  runs: WatchRun[];
  /** the gravest first */
  findings: WatchFinding[];
  /** by name */
  kernels: WatchKernel[];
  /** what could not be seen, and what else is worth knowing */
  notes: string[];
  /** of kernels that are tuned */
  timelines: WatchTimeline[];
  timelines_left_out: number;
  /** if the program named any; by run and time */
  sections: WatchSection[];
}

export interface StoredRun {
  id: number;
  /** runs of one suite are expected to have the same benchmarks */
  suite: string;
  /** the file it was read from */
  source: string;
  /** UTC, ISO 8601 */
  started: string;
  /** the commit that was measured; empty if unknown */
  revision: string;
  /** name and version; empty if unknown */
  tuner: string;
  /** empty if another program measured */
  tunecheck_version: string;
  /** all that is known about the machine */
  environment: Record<string, string>;
}

export interface HistoryChange {
  benchmark: string;
  /** times scatter, counts do not */
  kind: "time" | "count";
  unit: string;
  /** number of the conditions in this history */
  fingerprint: number;
  /** the last run before the change */
  last_before: number;
  /** the first run after it */
  first_after: number;
  /** the median of the runs since the previous change */
  before: number;
  /** the median of the runs until the next change */
  after: number;
  /** 0.05 is 5 % more; null: from nothing */
  change: number | null;
  /** how often chance gives as much; 0 of a count, which is exact */
  p: number;
}

/** How a value is packed: a text is a place in a list of texts, a rough time is in microseconds, an object the list of its fields. */
export type Layout = "text" | "truth" | "number" | "rough" | { list: Layout } | { names: Layout } | { maybe: Layout } | { object: keyof Layouts };
export interface Layouts {
  Stages: [keyof Stages, Layout][];
  Shard: [keyof Shard, Layout][];
  LeftOut: [keyof LeftOut, Layout][];
  Check: [keyof Check, Layout][];
  TriedConfig: [keyof TriedConfig, Layout][];
  CallEvent: [keyof CallEvent, Layout][];
  Call: [keyof Call, Layout][];
  Process: [keyof Process, Layout][];
  Mark: [keyof Mark, Layout][];
  Scenario: [keyof Scenario, Layout][];
  Run: [keyof Run, Layout][];
  Mutant: [keyof Mutant, Layout][];
  Kill: [keyof Kill, Layout][];
  Audit: [keyof Audit, Layout][];
  GateSettings: [keyof GateSettings, Layout][];
  GateSide: [keyof GateSide, Layout][];
  MeasuredProcess: [keyof MeasuredProcess, Layout][];
  GatePair: [keyof GatePair, Layout][];
  GateBenchmark: [keyof GateBenchmark, Layout][];
  GateCount: [keyof GateCount, Layout][];
  WinnerChange: [keyof WinnerChange, Layout][];
  Renaming: [keyof Renaming, Layout][];
  NotMeasured: [keyof NotMeasured, Layout][];
  Gate: [keyof Gate, Layout][];
  WatchRun: [keyof WatchRun, Layout][];
  WatchPlace: [keyof WatchPlace, Layout][];
  WatchFinding: [keyof WatchFinding, Layout][];
  WatchSettled: [keyof WatchSettled, Layout][];
  WatchKernel: [keyof WatchKernel, Layout][];
  WatchSpan: [keyof WatchSpan, Layout][];
  WatchCall: [keyof WatchCall, Layout][];
  WatchTimeline: [keyof WatchTimeline, Layout][];
  WatchSectionTuning: [keyof WatchSectionTuning, Layout][];
  WatchSection: [keyof WatchSection, Layout][];
  Watch: [keyof Watch, Layout][];
  StoredRun: [keyof StoredRun, Layout][];
  HistoryChange: [keyof HistoryChange, Layout][];
}
/** By their names. */
export interface Objects {
  Stages: Stages;
  Shard: Shard;
  LeftOut: LeftOut;
  Check: Check;
  TriedConfig: TriedConfig;
  CallEvent: CallEvent;
  Call: Call;
  Process: Process;
  Mark: Mark;
  Scenario: Scenario;
  Run: Run;
  Mutant: Mutant;
  Kill: Kill;
  Audit: Audit;
  GateSettings: GateSettings;
  GateSide: GateSide;
  MeasuredProcess: MeasuredProcess;
  GatePair: GatePair;
  GateBenchmark: GateBenchmark;
  GateCount: GateCount;
  WinnerChange: WinnerChange;
  Renaming: Renaming;
  NotMeasured: NotMeasured;
  Gate: Gate;
  WatchRun: WatchRun;
  WatchPlace: WatchPlace;
  WatchFinding: WatchFinding;
  WatchSettled: WatchSettled;
  WatchKernel: WatchKernel;
  WatchSpan: WatchSpan;
  WatchCall: WatchCall;
  WatchTimeline: WatchTimeline;
  WatchSectionTuning: WatchSectionTuning;
  WatchSection: WatchSection;
  Watch: Watch;
  StoredRun: StoredRun;
  HistoryChange: HistoryChange;
}

export const layouts: Layouts = {
  Stages: [["prepare_ns", "number"], ["adapter_ns", "number"], ["reference_ns", "number"], ["evidence_ns", "number"], ["check_ns", "number"], ["own_ns", "number"], ["total_ns", "number"]],
  Shard: [["number", "number"], ["count", "number"], ["scenarios", "number"], ["selection", "text"], ["tuners", { list: "text" }]],
  LeftOut: [["name", "text"], ["reason", "text"], ["checks", { list: "text" }]],
  Check: [["check", "text"], ["verdict", "text"], ["process", "text"], ["call", "number"], ["line", "number"], ["expected", "text"], ["observed", "text"], ["evidence", { list: "text" }]],
  TriedConfig: [["config", "text"], ["is_winner", "truth"], ["is_default", "truth"], ["failure", "text"], ["median_ns", "rough"], ["reps", "number"], ["own_median_ns", "rough"], ["own_failure", "text"], ["launches", "number"], ["samples_ns", { list: "rough" }]],
  CallEvent: [["kind", "text"], ["at_ns", "rough"], ["wall_ns", "rough"], ["config", "text"], ["count", "number"], ["failed", "number"], ["differing", "number"], ["from_store", "truth"], ["text", "text"]],
  Call: [["number", "number"], ["line", "number"], ["asked_ns", "number"], ["wall_ns", "number"], ["outcome", "text"], ["message", "text"], ["cache", "text"], ["missed_axes", { list: "text" }], ["winner", "text"], ["arch", "text"], ["sizes", { names: "number" }], ["bytes", "number"], ["flops", "number"], ["compiles", "number"], ["launches", "number"], ["trial_launches", "number"], ["configs", { list: { object: "TriedConfig" } }], ["configs_left_out", "number"], ["events", { list: { object: "CallEvent" } }], ["events_left_out", "number"]],
  Process: [["name", "text"], ["end", "text"], ["exit_status", "number"], ["signal", "number"], ["timed_out", "truth"], ["wall_ns", "number"], ["cpu_ns", "number"], ["peak_memory_kib", "number"], ["compiles", "number"], ["compiles_from_store", "number"], ["launches", "number"], ["log", "text"], ["calls", { list: { object: "Call" } }], ["calls_left_out", "number"]],
  Mark: [["checks", { list: "text" }], ["reason", "text"], ["link", "text"], ["until", "text"], ["at_times", "text"], ["line", "number"], ["file", "text"]],
  Scenario: [["name", "text"], ["family", "text"], ["file", "text"], ["line", "number"], ["because", "text"], ["kernel", "text"], ["adapter", "text"], ["tuner", "text"], ["device", "text"], ["verdict", "text"], ["message", "text"], ["lacks", "text"], ["checks", { list: { object: "Check" } }], ["unanswered", { list: "text" }], ["processes", { list: { object: "Process" } }], ["stages", { object: "Stages" }], ["wall_ns", "number"], ["workspace", "text"], ["repro", "text"], ["known", { maybe: { object: "Mark" } }]],
  Run: [["schema", "text"], ["tunecheck_version", "text"], ["started", "text"], ["adapter", "text"], ["adapter_file", "text"], ["tuner", "text"], ["backend", "text"], ["seed", "number"], ["jobs", "number"], ["environment", { names: "text" }], ["exit_status", "number"], ["counts", { names: "number" }], ["wall_ns", "number"], ["stages", { object: "Stages" }], ["judge_share", "number"], ["trouble", "text"], ["complete", "truth"], ["pending", { list: "text" }], ["shard", { maybe: { object: "Shard" } }], ["left_out", { list: { object: "LeftOut" } }], ["scenarios", { list: { object: "Scenario" } }]],
  Mutant: [["name", "text"], ["summary", "text"]],
  Kill: [["mutant", "text"], ["scenario", "text"], ["checks", { list: "text" }], ["verdict", "text"], ["message", "text"], ["expects", "text"]],
  Audit: [["schema", "text"], ["tunecheck_version", "text"], ["started", "text"], ["exit_status", "number"], ["wall_ns", "number"], ["surviving_mutants", { list: "text" }], ["unkilled_checks", { list: "text" }], ["false_claims", { list: "text" }], ["shard", { maybe: { object: "Shard" } }], ["quick", "truth"], ["elsewhere", { list: "text" }], ["mutants", { list: { object: "Mutant" } }], ["checks", { list: "text" }], ["kills", { list: { object: "Kill" } }], ["reference", { object: "Run" }]],
  GateSettings: [["delta", "number"], ["tolerance", "number"], ["alpha", "number"], ["same_alpha", "number"], ["pass_alpha", "number"], ["planned_power", "number"], ["stated_power", "number"], ["planted", "number"], ["screen_pairs", "number"], ["least_pairs", "number"], ["most_pairs", "number"]],
  GateSide: [["given", "text"], ["folder", "text"], ["commit", "text"], ["tuner", "text"], ["environment", { names: "text" }]],
  MeasuredProcess: [["failure", "text"], ["median", "number"], ["samples", { list: "number" }], ["cpu_median", "number"], ["cpu_samples", { list: "number" }], ["waited", "number"], ["waits", "number"]],
  GatePair: [["first", "text"], ["base", { object: "MeasuredProcess" }], ["head", { object: "MeasuredProcess" }]],
  GateBenchmark: [["name", "text"], ["metric", "text"], ["kernel", "text"], ["size", "text"], ["backend", "text"], ["unit", "text"], ["role", "text"], ["canary_of", "text"], ["slowed_by", "text"], ["settled", "truth"], ["answer", "text"], ["reason", "text"], ["decided_by", "text"], ["change", "number"], ["at_least", "number"], ["at_most", "number"], ["detectable", "number"], ["screen_pairs", "number"], ["confirmation_pairs", "number"], ["base_median", "number"], ["head_median", "number"], ["pairs", { list: { object: "GatePair" } }]],
  GateCount: [["name", "text"], ["metric", "text"], ["kernel", "text"], ["size", "text"], ["backend", "text"], ["unit", "text"], ["answer", "text"], ["reason", "text"], ["base", { list: "number" }], ["head", { list: "number" }]],
  WinnerChange: [["kernel", "text"], ["size", "text"], ["backend", "text"], ["base", "text"], ["head", "text"], ["base_winners", { names: "number" }], ["head_winners", { names: "number" }], ["benchmark", "text"], ["reason", "text"]],
  Renaming: [["base", "text"], ["head", "text"]],
  NotMeasured: [["name", "text"], ["reason", "text"]],
  Gate: [["schema", "text"], ["tunecheck_version", "text"], ["started", "text"], ["kind", "text"], ["adapter", "text"], ["backend", "text"], ["seed", "number"], ["settings", { object: "GateSettings" }], ["environment", { names: "text" }], ["pinning", "text"], ["wall_ns", "number"], ["complete", "truth"], ["answer", "text"], ["reason", "text"], ["detectable", "number"], ["fail_on_inconclusive", "truth"], ["exit_status", "number"], ["base", { object: "GateSide" }], ["head", { object: "GateSide" }], ["benchmarks", { list: { object: "GateBenchmark" } }], ["counts", { list: { object: "GateCount" } }], ["winner_changes", { list: { object: "WinnerChange" } }], ["added", { list: "text" }], ["removed", { list: "text" }], ["renamed", { list: { object: "Renaming" } }], ["not_measured", { list: { object: "NotMeasured" } }]],
  WatchRun: [["name", "text"], ["end", "text"], ["succeeded", "truth"], ["wall_ns", "number"], ["processes", "number"], ["compiles", "number"], ["compilers_seen", "truth"], ["launches", "number"], ["trials", "number"], ["ready_after_ns", { maybe: "number" }]],
  WatchPlace: [["file", "text"], ["line", "number"], ["function", "text"]],
  WatchFinding: [["word", "text"], ["certain", "truth"], ["kernel", "text"], ["shapes", "text"], ["place", { object: "WatchPlace" }], ["definition", { object: "WatchPlace" }], ["run", "text"], ["text", "text"], ["details", { list: "text" }], ["allowed", "truth"], ["new", "truth"]],
  WatchSettled: [["shapes", "text"], ["codes", { list: "text" }]],
  WatchKernel: [["name", "text"], ["codes", "number"], ["launches", { list: "number" }], ["trials", { list: "number" }], ["tuning_ns", { list: "number" }], ["settled", { list: { object: "WatchSettled" } }], ["settled_left_out", "number"]],
  WatchSpan: [["kind", "text"], ["code", "number"], ["from_ns", "number"], ["to_ns", "number"], ["launches", "number"]],
  WatchCall: [["run", "number"], ["process", "number"], ["rank", "text"], ["stream", "number"], ["repeated", "number"], ["numbers", "text"], ["replayed", "text"], ["measured", "number"], ["spoilt", "number"], ["restored", "number"], ["spans", { list: { object: "WatchSpan" } }]],
  WatchTimeline: [["kernel", "text"], ["shapes", "text"], ["place", { object: "WatchPlace" }], ["definition", { object: "WatchPlace" }], ["codes", { list: "text" }], ["calls", { list: { object: "WatchCall" } }], ["spans_left_out", "number"]],
  WatchSectionTuning: [["kernel", "text"], ["shapes", "text"], ["place", { object: "WatchPlace" }], ["certain", "truth"], ["codes", { list: "text" }], ["launches", "number"]],
  WatchSection: [["run", "number"], ["name", "text"], ["process", "number"], ["from_ns", "number"], ["to_ns", "number"], ["compiles", "number"], ["unclear_compiles", "number"], ["commands", { list: "text" }], ["kernels", { list: "text" }], ["tunings", { list: { object: "WatchSectionTuning" } }]],
  Watch: [["schema", "text"], ["tunecheck_version", "text"], ["started", "text"], ["watched", { list: "text" }], ["options", { list: "text" }], ["folder", "text"], ["interrupted", "truth"], ["never_ready", "truth"], ["runs", { list: { object: "WatchRun" } }], ["findings", { list: { object: "WatchFinding" } }], ["kernels", { list: { object: "WatchKernel" } }], ["notes", { list: "text" }], ["timelines", { list: { object: "WatchTimeline" } }], ["timelines_left_out", "number"], ["sections", { list: { object: "WatchSection" } }]],
  StoredRun: [["id", "number"], ["suite", "text"], ["source", "text"], ["started", "text"], ["revision", "text"], ["tuner", "text"], ["tunecheck_version", "text"], ["environment", { names: "text" }]],
  HistoryChange: [["benchmark", "text"], ["kind", "text"], ["unit", "text"], ["fingerprint", "number"], ["last_before", "number"], ["first_after", "number"], ["before", "number"], ["after", "number"], ["change", "number"], ["p", "number"]],
};
