// What the program puts into the page. `index` is read when the page opens; everything else lies in
// blocks of its own that are read when somebody looks at them. reports/html/html_*.cpp write them.

export const verdicts = ["pass", "fail", "unsupported", "error", "known"] as const;
export type Verdict = (typeof verdicts)[number];
/** In the order in which a reader wants to see them. */
export const worstFirst: Verdict[] = ["error", "fail", "known", "unsupported", "pass"];

export interface Run {
  file: string;
  tunecheck_version: string;
  started: string;
  adapter: string;
  tuner: string;
  backend: string;
  device: string;
  seed: number;
  jobs: number;
  exit_status: number;
  wall_ns: number;
  judge_share: number;
  stages_ns: [prepare: number, adapter: number, reference: number, evidence: number, check: number];
  trouble: string;
  pending: string[];
  pending_left_out: number;
  left_out: { name: string; reason: string }[];
  environment: Record<string, string>;
}

/** name, family, run, verdict, kernel, wall_ns, why it did not pass. Numbers are places in lists. */
export type Row = [string, number, number, number, number, number, string];

export interface Index {
  version: string;
  runs: Run[];
  families: string[];
  kernels: string[];
  scenarios: Row[];
  scenarios_per_block: number;
  tuned: number[];
  gates: number;
  audits: number;
  histories: number;
}

export interface Strip {
  config: string;
  flags: number; // 1 winner, 2 default
  median_ns: number;
  own_ns: number;
  launches: number;
  /** Quantiles from the least to the greatest, evenly spread. */
  dots_ns: number[];
  failure: string;
}

export interface TimeEvent {
  kind: string;
  at_ns: number;
  wall_ns: number;
  config: string;
  count: number;
  failed: number;
  differing: number;
  from_store: boolean;
  text: string;
}

export interface Call {
  number: number;
  asked_ns: number;
  wall_ns: number;
  outcome: string;
  message: string;
  cache: string;
  missed_axes: string[];
  winner: string;
  arch: string;
  sizes: string;
  compiles: number;
  launches: number;
  trial_launches: number;
  configs: Strip[];
  configs_left_out: number;
  events: TimeEvent[];
  events_left_out: number;
}

export interface Process {
  name: string;
  end: string;
  wall_ns: number;
  cpu_ns: number;
  peak_memory_kib: number;
  compiles: number;
  compiles_from_store: number;
  launches: number;
  log: string;
  calls: Call[];
  calls_left_out: number;
}

export interface Check {
  check: string;
  verdict: Verdict;
  process: string;
  call: number;
  line: number;
  expected: string;
  observed: string;
  evidence: string[];
}

export interface Scenario {
  file: string;
  line: number;
  because: string;
  message: string;
  lacks: string;
  workspace: string;
  repro: string;
  known?: { checks: string[]; reason: string; link: string; until: string; file: string; line: number };
  stages_ns: Run["stages_ns"];
  processes: Process[];
  checks: Check[];
  unanswered: string[];
}

/** A config in all tunings of one problem. */
export interface Config {
  config: string;
  is_default: boolean;
  won: number;
  tunings: number;
  median_ns: number;
  own_ns: number;
  launches: number;
  dots_ns: number[];
  failures: [string, number][];
}

/** One kernel with the same sizes on the same device: what can be compared. */
export interface Problem {
  run: number;
  sizes: string;
  device: string;
  arch: string;
  bytes: number;
  flops: number;
  tunings: number;
  /** "observers" where dots are launches that observers timed, "tuner" where they are its medians. */
  source: "observers" | "tuner";
  configs: Config[];
}

export interface KernelData {
  name: string;
  problems: Problem[];
}

export function read<T>(id: string): T | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as T) : undefined;
}

export const index = read<Index>("index")!;

/** config, is the default, won, tunings, median in us, the judge's in us, launches, dots in us, failures */
type PackedConfig = [string, number, number, number, number, number, number, number[], [string, number][]];

export function kernelAt(place: number): KernelData | undefined {
  const data = read<{ name: string; problems: (Omit<Problem, "configs"> & { configs: PackedConfig[] })[] }>(`kernel-${place}`);
  return data && { name: data.name, problems: data.problems.map((problem) => ({ ...problem, configs: problem.configs.map(config) })) };
}

const config = ([name, is_default, won, tunings, median, own, launches, dots, failures]: PackedConfig): Config =>
  ({ config: name, is_default: is_default === 1, won, tunings, median_ns: median * 1000, own_ns: own * 1000, launches, dots_ns: dots.map((us) => us * 1000), failures });

export const document_ = <T>(kind: string, number: number): T => read<T>(`${kind}-${number}`)!;

export const verdictOf = (row: Row): Verdict => verdicts[row[3]]!;
export const familyOf = (row: Row): string => index.families[row[1]]!;
export const kernelOf = (row: Row): string => index.kernels[row[4]]!;
export const runOf = (row: Row): Run => index.runs[row[2]]!;

/** "reference 0.1.0 on NVIDIA H200": what tells runs apart, and no more. */
export function titleOf(run: Run): string {
  const name = run.adapter.includes(":") || !run.tuner ? run.adapter : run.tuner;
  return `${name} on ${run.backend === "cpu" ? "cpu" : run.device || run.backend}`;
}

/** Why the result of a run is not all that there should be; "" where it is. */
export function incomplete(run: Run): string {
  const count = run.pending.length + run.pending_left_out;
  if (run.trouble) return run.trouble;
  return count ? `the run ended before ${plural(count, "scenario was", "scenarios were")} run` : "";
}

export function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
