// What `tunecheck history changes` found: each benchmark over its runs, and where it changed.
import { axisX, dot, line, link, plot, ruleX, text } from "@observablehq/plot";
import { badge } from "./badge";
import { answers, briefOf, headline } from "./brief";
import { index, plural, read, unpack, type HistoryChange, type Packed, type StoredRun } from "./data";
import { breakable, chart, facts, h, nothing, table, type Child } from "./dom";
import { change, measure, middleOf, moment, percent } from "./format";
import { address, route } from "./route";

interface Benchmark {
  name: string;
  unit: string;
  runs: number;
  conditions: number;
  changes: number;
  last: number | null;
  state: "" | "added" | "removed";
  /** Medians of some runs under the conditions of the last, evenly spread. */
  sparkline: number[];
}
/** Benchmarks and runs are places in lists. */
type Change = Omit<HistoryChange, "benchmark" | "unit"> & { benchmark: number };
interface Verdicts {
  scenario: string;
  state: "flaky" | "failing" | "mended";
  text: string;
  failures: number;
  /** Places of runs, and 1 where it failed. */
  runs: number[];
  failed: number[];
}
interface History {
  verdicts: Verdicts[];
  /** "97 scenarios of 2 tuners"; "" where the history has no verdicts. */
  judged: string;
  file: string;
  level: number;
  least_change: number;
  small_changes: number;
  too_short: number;
  runs: StoredRun[];
  fingerprints: Record<string, Record<string, string>>;
  benchmarks: Benchmark[];
  changes: Change[];
  /** name, run, whether it was added */
  appearances: [string, number, boolean][];
  renames: [string, string][];
}
/** run, median; of several runs also the last one, the least and the greatest median */
type PackedPoint = [number, number] | [number, number, number, number, number];
interface Series {
  series: { fingerprint: number; points: PackedPoint[] }[];
}

interface Point {
  run: number;
  last: number;
  median: number;
  least: number;
  greatest: number;
  fingerprint: number;
  /** Its place from left to right. */
  x: number;
}

type PackedHistory = Omit<History, "runs"> & { texts: string[]; runs: Packed[] };

const histories = (): History[] => Array.from({ length: index.histories }, (_, number) => {
  const { texts, ...history } = read<PackedHistory>(`history-${number}`)!;
  return { ...history, runs: history.runs.map((run) => unpack("StoredRun", run, texts)) };
});

export function historyPage(): Child[] {
  if (index.histories === 0) return [h("h1", {}, "History"), nothing("This report has no history; `tunecheck history changes --format json` writes one.")];
  return histories().map(page);
}

function page(history: History, number: number): HTMLElement {
  const { benchmarks, changes } = history;
  const brief = briefOf("history", number);
  // A history of verdicts alone has nothing to say of times.
  const hasTimes = benchmarks.length > 0 || !history.judged;
  const chosen = h("div", { id: `series-${number}` });
  const wanted = benchmarks.findIndex(({ name }) => name === route().query.get("benchmark"));
  const start = wanted >= 0 ? wanted : changes[0]?.benchmark ?? 0;
  const picker = h("select", { id: `benchmark-${number}` }, benchmarks.map(({ name }, place) => h("option", { value: place, selected: place === start }, name)));
  const show = (): void => {
    const place = Number(picker.value);
    chosen.replaceChildren(...(benchmarks[place] ? [seriesOf(history, number, place)] : []));
  };
  const choose = (place: number): void => {
    picker.value = String(place);
    // Without a new entry in the browser's history for each choice.
    window.history.replaceState(null, "", benchmarkAddress(benchmarks[place]!));
    show();
  };
  picker.addEventListener("change", () => choose(Number(picker.value)));
  show();
  const linkTo = (place: number): HTMLElement => h("a", { class: "name", href: benchmarkAddress(benchmarks[place]!), click: (event) => {
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    choose(place);
    picker.focus({ preventScroll: true });
    picker.closest("section")!.scrollIntoView();
  } }, breakable(benchmarks[place]!.name));
  return h("div", {},
    headline(brief.verdict, hasTimes ? "History of what was measured" : "History of verdicts",
      h("p", { class: "muted" }, [history.judged && `${history.judged}. `, hasTimes && [`${plural(benchmarks.length, "benchmark", "benchmarks")}. If times were steady, the chance of any change would be ${percent(history.level)}.`,
        history.small_changes > 0 && ` ${plural(history.small_changes, "change", "changes")} below ${percent(history.least_change)} left out.`,
        history.too_short > 0 && ` ${history.too_short} series of times with too few runs to show a change.`]])),
    answers(brief),
    history.verdicts.length > 0 && h("section", {}, h("h2", {}, "Verdicts"), verdictTable(history)),
    hasTimes && h("section", {}, h("h2", {}, "Changes"), changes.length === 0 ? nothing("No benchmark changed.") : changeTable(history, linkTo)),
    benchmarks.length === 0 ? hasTimes && nothing("No benchmark has runs that can be shown.") : h("section", {}, h("h2", {}, "Over the runs"),
      h("p", {}, h("label", { for: picker.id }, "Benchmark "), picker), chosen),
    benchmarks.length > 0 && h("section", {}, h("h2", {}, "All benchmarks"), benchmarkTable(benchmarks, linkTo)),
    (history.appearances.length > 0 || history.renames.length > 0) && h("section", {}, h("h2", {}, "Added, removed and renamed"),
      history.appearances.length > 0 && table(["", "benchmark", "run"], history.appearances.map(([name, run, added]) => [badge(added ? "added" : "removed"), breakable(name), [!added && "not in ", runText(history.runs[run]!)]]), "Benchmarks that came and went"),
      facts(history.renames.map(([old, now]) => [old, `is read as ${now}`]))),
    h("section", {}, h("h2", {}, "Runs"), h("details", {}, h("summary", {}, plural(history.runs.length, "run", "runs")),
      table([{ text: "run", number: true }, "started", "commit", "tuner", "tunecheck", "suite", "from"], history.runs.map((run) => [String(run.id), moment(run.started), h("code", {}, run.revision.slice(0, 12)), run.tuner, run.tunecheck_version, run.suite, run.source]), "Runs")),
      facts([["file", h("code", {}, history.file)]])));
}

const states = { flaky: "known", failing: "fail", mended: "pass" } as const;

/** Each scenario that failed, with its last runs as squares: the rate tells a flaky one from a broken one. */
const verdictTable = (history: History): HTMLElement =>
  table(["scenario", { text: "failed", number: true }, "since when", "last runs"], history.verdicts.map(({ scenario, state, text: said, failures, runs, failed }) => [
    [h("span", { class: `badge ${states[state]}` }, state), h("span", { class: "name block mono" }, breakable(scenario))], `${failures} of ${runs.length}`, said,
    h("span", { class: "squares", role: "img", "aria-label": `last runs: ${failed.slice(-30).map((each) => (each ? "failed" : "held")).join(", ")}` }, failed.slice(-30).map((each, at) => h("span", { class: each ? "fail" : "pass", title: runText(history.runs[runs[runs.length - Math.min(30, failed.length) + at]!]!) }, each ? "✕" : "·")))]), "Verdicts over the runs");

type LinkTo = (benchmark: number) => HTMLElement;

const benchmarkAddress = (benchmark: Benchmark): string => address(["history"], { benchmark: benchmark.name });
const direction = ({ kind, before, after }: Change): string => (kind === "time" ? (after > before ? "slower" : "faster") : after > before ? "more" : "fewer");
const isWorse = (found: Change): boolean => found.after > found.before;
const size = (found: Change): string => (found.change === null ? "new" : change(found.change));
const significance = (found: Change): string => (found.kind === "count" ? "counted" : `p = ${found.p.toPrecision(2)}`);
const runText = ({ id, started, revision }: StoredRun): string => `${id} (${[moment(started), revision.slice(0, 10)].filter(Boolean).join(", ")})`;

// What else is another one since then, so that nobody looks for it in vain.
function circumstances(history: History, found: Change): string {
  const before = history.runs[found.last_before]!, after = history.runs[found.first_after]!;
  return [["tuner", before.tuner, after.tuner], ["tunecheck", before.tunecheck_version, after.tunecheck_version]].filter(([, old, now]) => old !== now).map(([name, old, now]) => `${name} ${old} to ${now}`).join("; ");
}

// What a reader looks for stands in the first two columns, which a phone shows.
const changeTable = (history: History, linkTo: LinkTo): HTMLElement =>
  table(["benchmark", { text: "change", number: true }, { text: "before", number: true }, { text: "after", number: true }, "first run after it", "last run before it"],
    history.changes.map((found) => {
      const benchmark = history.benchmarks[found.benchmark]!;
      const others = circumstances(history, found);
      return [[badge(direction(found)), h("span", { class: "block" }, linkTo(found.benchmark)), others && h("span", { class: "muted small block" }, others)],
        [h("b", {}, size(found)), h("span", { class: "muted small block" }, significance(found))], measure(found.before, benchmark.unit), measure(found.after, benchmark.unit), runText(history.runs[found.first_after]!), runText(history.runs[found.last_before]!)];
    }), "Changes");

const benchmarkTable = (benchmarks: Benchmark[], linkTo: LinkTo): Child[] => {
  // One scale for all: what moves by 0.4 % must not look like what moves by 12 %.
  const reach = Math.max(leastReach, ...benchmarks.flatMap(({ sparkline: values }) => values.map((value) => Math.abs(value / (middleOf(values) || 1) - 1))));
  return [
    h("p", { class: "small muted" }, `All lines have one scale: from ${change(-reach)} to ${change(reach)} of each benchmark's median.`),
    table(["benchmark", "", { text: "in its last run", number: true }, { text: "runs", number: true }, { text: "conditions", number: true }, { text: "changes", number: true }, ""],
      benchmarks.map((benchmark, place) => [linkTo(place), sparkline(benchmark.sparkline, reach), benchmark.last === null ? "" : measure(benchmark.last, benchmark.unit), String(benchmark.runs), String(benchmark.conditions), String(benchmark.changes), benchmark.state && badge(benchmark.state)]), "All benchmarks")];
};
const leastReach = 0.02;

/** `reach` is the greatest difference to the median that is drawn, as a share of it. */
function sparkline(values: number[], reach: number): Node {
  const width = 120, height = 22, margin = 2;
  const middle = middleOf(values) || 1;
  const points = values.map((value, place) => [values.length === 1 ? width / 2 : margin + (place / (values.length - 1)) * (width - 2 * margin), height / 2 - ((value / middle - 1) / reach) * (height / 2 - margin)]);
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of [["width", width], ["height", height], ["viewBox", `0 0 ${width} ${height}`], ["aria-hidden", "true"], ["class", "sparkline"]]) drawing.setAttribute(String(name), String(value));
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", points.map(([x, y], place) => `${place ? "L" : "M"}${x!.toFixed(1)} ${y!.toFixed(1)}`).join(""));
  drawing.append(path);
  return drawing;
}

function pointsOf(history: number, benchmark: number): Point[] {
  const { series } = read<Series>(`history-${history}-${benchmark}`)!;
  const points = series.flatMap(({ fingerprint, points }) => points.map(([run, median, last = run, least = median, greatest = median]) => ({ run, last, median, least, greatest, fingerprint, x: 0 })));
  points.sort((a, b) => a.run - b.run);
  points.forEach((point, place) => (point.x = place));
  return points;
}

const isAt = (found: Change) => (point: Point): boolean => point.run === found.first_after && point.fingerprint === found.fingerprint;

const symbols = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"] as const;
const colours = ["var(--accent)", "var(--launch)", "var(--compile)", "var(--error)"];

function seriesOf(history: History, number: number, place: number): HTMLElement {
  const benchmark = history.benchmarks[place]!;
  const points = pointsOf(number, place);
  if (points.length === 0) return nothing("This file is from a version that did not write runs; `tunecheck history changes --format json` now writes them.");
  const changes = history.changes.filter((found) => found.benchmark === place && points.some(isAt(found)));
  const fingerprints = [...new Set(points.map(({ fingerprint }) => fingerprint))];
  const name = (fingerprint: number): string => String.fromCharCode(65 + (fingerprints.indexOf(fingerprint) % 26));
  const gathered = points.some(({ run, last }) => run !== last);
  return h("div", {},
    h("p", { class: "legend" }, changes.length > 0 && h("span", {}, "Thick lines are medians between changes."), gathered && h("span", {}, "A bar spans several runs."),
      fingerprints.length > 1 && h("span", {}, "Dashed borders: the conditions differ, and times on the two sides cannot be compared.")),
    chart(`${benchmark.name} over ${plural(points.length, "run", "runs")} with ${plural(changes.length, "change", "changes")}; the table below has the same`, (width) => drawing(history, benchmark, points, changes, fingerprints, name, width)),
    conditions(history, fingerprints, name),
    h("details", {}, h("summary", {}, "As a table"),
      table([{ text: "run", number: true }, "started", "commit", { text: "median", number: true }, "conditions", "changed"], points.map((point) => {
        const run = history.runs[point.run]!;
        const found = changes.find((each) => isAt(each)(point));
        return [point.run === point.last ? String(run.id) : `${run.id} to ${history.runs[point.last]!.id}`, moment(run.started), h("code", {}, run.revision.slice(0, 12)), measure(point.median, benchmark.unit), name(point.fingerprint), found && [badge(direction(found)), ` ${size(found)}, ${significance(found)}`]];
      }), `Runs of ${benchmark.name}`)));
}

// Which facts are others than those of the first runs.
function conditions(history: History, fingerprints: number[], name: (fingerprint: number) => string): HTMLElement | false {
  if (fingerprints.length < 2) return false;
  const first = history.fingerprints[fingerprints[0]!] ?? {};
  return table(["conditions", "fact", `in ${name(fingerprints[0]!)}`, "here"], fingerprints.slice(1).flatMap((fingerprint) => {
    const here = history.fingerprints[fingerprint] ?? {};
    const names = [...new Set([...Object.keys(first), ...Object.keys(here)])].sort();
    return names.filter((fact) => first[fact] !== here[fact]).map((fact) => [name(fingerprint), fact, first[fact] ?? "not known", here[fact] ?? "not known"]);
  }), "How conditions differ");
}

function drawing(history: History, benchmark: Benchmark, points: Point[], changes: Change[], fingerprints: number[], name: (fingerprint: number) => string, width: number): Element {
  const colour = (fingerprint: number): string => colours[fingerprints.indexOf(fingerprint) % colours.length]!;
  const borders = fingerprints.slice(1).map((fingerprint) => points.find((point) => point.fingerprint === fingerprint)!);
  const marks = changes.map((found, number) => ({ found, number, x: points.find(isAt(found))!.x - 0.5 }));
  const levels = fingerprints.flatMap((fingerprint) => levelsOf(points.filter((point) => point.fingerprint === fingerprint), changes.filter((found) => found.fingerprint === fingerprint)));
  const top = 18 * (Math.min(marks.length, 3) + (borders.length > 0 ? 1 : 0)) + 10;
  const values = points.flatMap(({ least, greatest }) => [least, greatest]);
  const least = Math.min(...values), greatest = Math.max(...values);
  const pad = (greatest - least || greatest || 1) * 0.08;
  return plot({
    width, height: 260 + top, marginLeft: 78, marginRight: 14, marginTop: top, marginBottom: 32,
    x: { domain: [-0.7, points.length - 0.3], label: null },
    y: { domain: [least - pad, greatest + pad], label: null, ticks: 5, tickFormat: (number: number) => (number < 0 ? "" : measure(number, benchmark.unit)) },
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    marks: [
      axisX({ ticks: Math.max(2, Math.min(points.length, Math.floor(width / 130))), tickFormat: (x: number) => (points[x] ? history.runs[points[x]!.run]!.started.slice(0, 10) : ""), label: null, tickSize: 3 }),
      ruleX(borders, { x: (point: Point) => point.x - 0.5, stroke: "var(--muted)", strokeDasharray: "5 4" }),
      text(borders, { x: (point: Point) => point.x - 0.5, frameAnchor: "top", dy: -6, dx: 3, text: (point: Point) => `conditions ${name(point.fingerprint)}`, textAnchor: "start", fill: "var(--muted)" } as never),
      ruleX(marks, { x: "x", stroke: ({ found }) => (isWorse(found) ? "var(--fail)" : "var(--pass)"), strokeWidth: 1.5 }),
      ...[0, 1, 2].map((row) => text(marks.filter(({ number }) => number % 3 === row), { x: "x", frameAnchor: "top", text: ({ found }: { found: Change }) => `${isWorse(found) ? "▲" : "▼"} ${size(found)}${width > 700 ? `, ${significance(found)}` : ""}`, dy: 18 * row - top + 10, textAnchor: "middle", fill: "var(--ink)", fontWeight: 600 } as never)),
      line(points, { x: "x", y: "median", z: "fingerprint", stroke: ({ fingerprint }) => colour(fingerprint), strokeOpacity: 0.35 }),
      link(levels, { x1: "from", x2: "to", y1: "level", y2: "level", stroke: ({ fingerprint }) => colour(fingerprint), strokeWidth: 3, strokeOpacity: 0.6 }),
      link(points.filter(({ run, last }) => run !== last), { x1: "x", x2: "x", y1: "least", y2: "greatest", stroke: ({ fingerprint }) => colour(fingerprint), strokeOpacity: 0.4 }),
      dot(points, { x: "x", y: "median", r: points.length > width / 8 ? 2 : 3.5, symbol: ({ fingerprint }: Point) => symbols[fingerprints.indexOf(fingerprint) % symbols.length]!, fill: ({ fingerprint }) => colour(fingerprint), title: (point) => `run ${runText(history.runs[point.run]!)}\n${measure(point.median, benchmark.unit)}${fingerprints.length > 1 ? `\nconditions ${name(point.fingerprint)}` : ""}`, tip: { fill: "var(--surface)", stroke: "var(--line)" } }),
    ],
  });
}

// Between two changes of one series.
function levelsOf(points: Point[], changes: Change[]): { from: number; to: number; level: number; fingerprint: number }[] {
  if (changes.length === 0) return [];
  const starts = [0, ...changes.map((found) => points.findIndex(({ run }) => run === found.first_after))];
  return starts.map((start, place) => ({
    from: points[start]!.x, to: points[(starts[place + 1] ?? points.length) - 1]!.x,
    level: place === 0 ? changes[0]!.before : changes[place - 1]!.after, fingerprint: points[start]!.fingerprint,
  }));
}
