// Scenarios as they lie in the page: texts are places in a list, and what is empty is not there.
import { index, read, verdicts, type Call, type Check, type Process, type Scenario, type Strip, type TimeEvent } from "./data";

type Places<T, Names extends keyof T> = { [K in keyof T]?: K extends Names ? number : T[K] };
/** config, flags, median in us, the judge's in us, launches, failure, dots in us */
type PackedStrip = [number, number, number, number, number, number, number[]];
/** kind, at in us, wall in us, config, count, failed, differing, from_store, text */
type PackedEvent = number[];
/** check, verdict, process, call, line, expected, observed, files of evidence */
type PackedCheck = [number, number, number, number, number, number, number, ...number[]];
type PackedCall = Omit<Places<Call, "outcome" | "message" | "cache" | "winner" | "arch" | "sizes">, "configs" | "events"> & { configs?: PackedStrip[]; events?: PackedEvent[] };
type PackedProcess = Omit<Places<Process, "name" | "end" | "log">, "calls"> & { calls?: PackedCall[] };
type PackedScenario = Omit<Places<Scenario, "file" | "because" | "message" | "lacks" | "workspace" | "repro">, "checks" | "processes"> & { checks?: PackedCheck[]; processes?: PackedProcess[] };
interface Block {
  texts: string[];
  scenarios: PackedScenario[];
}

let texts: string[] = [];
const text = (place = 0): string => texts[place] ?? "";

const strip = ([config, flags, median, own, launches, failure, dots]: PackedStrip): Strip =>
  ({ config: text(config), flags, median_ns: median * 1000, own_ns: own * 1000, launches, failure: text(failure), dots_ns: dots.map((us) => us * 1000) });

const event = ([kind, at = 0, wall = 0, config, count = 0, failed = 0, differing = 0, from_store = 0, detail]: PackedEvent): TimeEvent =>
  ({ kind: text(kind), at_ns: at * 1000, wall_ns: wall * 1000, config: text(config), count, failed, differing, from_store: from_store === 1, text: text(detail) });

const call = (packed: PackedCall): Call => ({
  number: 0, asked_ns: 0, wall_ns: 0, missed_axes: [], compiles: 0, launches: 0, trial_launches: 0, configs_left_out: 0, events_left_out: 0, ...packed,
  outcome: text(packed.outcome), message: text(packed.message), cache: text(packed.cache), winner: text(packed.winner), arch: text(packed.arch), sizes: text(packed.sizes),
  configs: (packed.configs ?? []).map(strip), events: (packed.events ?? []).map(event),
});

const process = (packed: PackedProcess): Process => ({
  wall_ns: 0, cpu_ns: 0, peak_memory_kib: 0, compiles: 0, compiles_from_store: 0, launches: 0, calls_left_out: 0, ...packed,
  name: text(packed.name), end: text(packed.end), log: text(packed.log), calls: (packed.calls ?? []).map(call),
});

const check = ([name, verdict, by, number, line, expected, observed, ...evidence]: PackedCheck): Check =>
  ({ check: text(name), verdict: verdicts[verdict]!, process: text(by), call: number, line, expected: text(expected), observed: text(observed), evidence: evidence.map(text) });

const blocks = new Map<number, Block>();

/** The scenario of a row of the index. */
export function scenarioAt(place: number): Scenario {
  const size = index.scenarios_per_block;
  const number = Math.floor(place / size);
  let block = blocks.get(number);
  if (!block) {
    block = read<Block>(`scenarios-${number}`)!;
    blocks.set(number, block);
  }
  texts = block.texts;
  const packed = block.scenarios[place % size]!;
  return {
    line: 0, stages_ns: [0, 0, 0, 0, 0], unanswered: [], ...packed,
    file: text(packed.file), because: text(packed.because), message: text(packed.message), lacks: text(packed.lacks), workspace: text(packed.workspace), repro: text(packed.repro),
    processes: (packed.processes ?? []).map(process), checks: (packed.checks ?? []).map(check),
  };
}
