// What the program puts into the page. `index` is read when the page opens; everything else lies in
// blocks of its own that are read when somebody looks at them. reports/html/html_*.cpp write them. What
// files of tunecheck hold is in stored.ts; the other types are the page's own.

import { layouts, type Audit, type Call, type CallEvent, type Check, type Gate, type HistoryChange, type Layout, type Objects, type Process, type Run as WholeRun, type Scenario as WholeScenario, type StoredRun, type Watch } from "./stored";
export type { Audit, Call, CallEvent, Check, Gate, HistoryChange, Process, StoredRun, Watch };

export type Verdict = Check["verdict"];
/** In the order in which a reader wants to see them. */
export const worstFirst: Verdict[] = ["error", "fail", "known", "unsupported", "pass"];

export interface Run extends Omit<WholeRun, "scenarios"> {
  file: string;
  device: string;
  pending_left_out: number;
}

/** Its row of the index says the rest. */
export type Scenario = Omit<WholeScenario, "name" | "family" | "kernel" | "adapter" | "tuner" | "device">;

/** n: new since the base, u: fails and was not asked there, s: failed there as well, f: no longer fails, o: another verdict. */
export type Since = "" | "n" | "u" | "s" | "f" | "o";
/** name, family, run, verdict, kernel, wall_ns, why it did not pass, checks that did not pass, its
 * mark, what it was in the base. Numbers are places in lists. */
export type Row = [string, number, number, number, number, number, string, number, number, Since];

/** What the program has made of the documents: reports/summary says how. */
export interface VerdictLine {
  standing: "good" | "known" | "open" | "bad" | "untrusted";
  status: number;
  word: string;
  sentence: string;
}
export type Kind = "run" | "gate" | "watch" | "audit" | "history";
export interface Brief {
  kind: Kind;
  /** Among the documents of its kind. */
  number: number;
  verdict: VerdictLine;
  subject: string;
  broke: string;
  why: string;
  since: string;
  whose: string;
  next: string;
  command: string;
  compare: string;
}
/** Scenarios are places of rows here and below. */
export interface Cause {
  run: number;
  check: string;
  verdict: Verdict;
  meaning: string;
  expected: string;
  observed: string;
  own: number;
  scenarios: number[];
  symptoms: [string, number][];
}
export interface Known {
  run: number;
  reason: string;
  link: string;
  scenarios: number[];
}
export interface Changes {
  run: number;
  started: string;
  commit: string;
  broken: number[];
  unasked: number[];
  as_bad: number[];
  mended: number[];
  others: number[];
  gone: string[];
}

export interface Index {
  version: string;
  /** About the report as a whole. */
  verdict: VerdictLine;
  /** The brief that decides it. */
  worst: number;
  briefs: Brief[];
  causes: Cause[];
  known: Known[];
  changes: Changes[];
  checks: string[];
  marks: string[];
  /** By view: how many things there are to look at. */
  counts: Record<string, number>;
  verdicts: Verdict[];
  runs: Run[];
  families: string[];
  kernels: string[];
  scenarios: Row[];
  scenarios_per_block: number;
  tuned: number[];
  gates: number;
  watches: number;
  audits: number;
  histories: number;
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

/** Packed values are what stored.ts says, and made by html_pack.cpp: what is nothing is not there at the end of a list. */
export type Packed = string | number | null | Packed[] | { [name: string]: Packed };

export function unpack<Name extends keyof Objects>(name: Name, packed: Packed | undefined, texts: string[]): Objects[Name] {
  return unpackAs({ object: name }, packed, texts) as Objects[Name];
}
function unpackAs(layout: Layout, packed: Packed | undefined, texts: string[]): unknown {
  if (layout === "text") return texts[(packed as number | undefined) ?? 0] ?? "";
  if (layout === "truth") return packed === 1;
  if (layout === "number") return packed === undefined ? 0 : packed;
  if (layout === "rough") return ((packed as number | undefined) ?? 0) * 1000;
  if ("maybe" in layout) return packed === undefined || packed === null ? undefined : unpackAs(layout.maybe, packed, texts);
  if ("list" in layout) return ((packed ?? []) as Packed[]).map((item) => unpackAs(layout.list, item, texts));
  if ("names" in layout) return Object.fromEntries(Object.entries((packed ?? {}) as Record<string, Packed>).map(([name, item]) => [name, unpackAs(layout.names, item, texts)]));
  const values = (packed ?? []) as Packed[];
  return Object.fromEntries(layouts[layout.object].map(([name, inner], at) => [name, unpackAs(inner, values[at], texts)]));
}

type PackedRun = { file: string; device: string; pending_left_out: number; run: Packed };
const packedIndex = read<Omit<Index, "runs"> & { texts: string[]; runs: PackedRun[] }>("index")!;
export const index: Index = {
  ...packedIndex,
  runs: packedIndex.runs.map(({ run, ...more }) => ({ ...unpack("Run", run, packedIndex.texts), ...more })),
};

/** config, is the default, won, tunings, median in us, the judge's in us, launches, dots in us, failures */
type PackedConfig = [string, number, number, number, number, number, number, number[], [string, number][]];

export function kernelAt(place: number): KernelData | undefined {
  const data = read<{ name: string; problems: (Omit<Problem, "configs"> & { configs: PackedConfig[] })[] }>(`kernel-${place}`);
  return data && { name: data.name, problems: data.problems.map((problem) => ({ ...problem, configs: problem.configs.map(config) })) };
}

const config = ([name, is_default, won, tunings, median, own, launches, dots, failures]: PackedConfig): Config =>
  ({ config: name, is_default: is_default === 1, won, tunings, median_ns: median * 1000, own_ns: own * 1000, launches, dots_ns: dots.map((us) => us * 1000), failures });

/** A document of the report, and the file that it was read from. */
export function documentOf(kind: "gate", number: number): Gate & { file: string };
export function documentOf(kind: "audit", number: number): Audit & { file: string };
export function documentOf(kind: "watch", number: number): Watch & { file: string };
export function documentOf(kind: "gate" | "audit" | "watch", number: number): (Gate | Audit | Watch) & { file: string } {
  const { texts, gate, audit, watch, ...more } = read<{ file: string; texts: string[]; gate: Packed; audit: Packed; watch: Packed }>(`${kind}-${number}`)!;
  const packed = { gate, audit, watch }[kind];
  return { ...unpack(({ gate: "Gate", audit: "Audit", watch: "Watch" } as const)[kind], packed, texts), ...more };
}

export const verdictOf = (row: Row): Verdict => index.verdicts[row[3]]!;
export const familyOf = (row: Row): string => index.families[row[1]]!;
export const checksOf = (row: Row): string => index.checks[row[7]]!;
export const markOf = (row: Row): string => index.marks[row[8]]!;
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
