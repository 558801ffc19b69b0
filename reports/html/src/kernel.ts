import { dot, line, plot, text, axisX, axisY } from "@observablehq/plot";
import { index, kernelAt, kernelOf, plural, titleOf, worstFirst, type Problem } from "./data";
import { chart, h, nothing, table, type Child } from "./dom";
import { count, duration, quantity } from "./format";
import { countsOf } from "./row";
import { bar } from "./badge";
import { address, route } from "./route";
import { strips } from "./strips";

export function kernels(): Child[] {
  const names = index.kernels.map((name, place) => ({ name, place })).filter(({ name }) => name);
  if (names.length === 0) return [h("h1", {}, "Kernels"), nothing("None of the scenarios that ran has a kernel.")];
  const rows = names.map(({ name, place }) => {
    const of = index.scenarios.filter((row) => row[4] === place);
    const counts = countsOf(of);
    return [h("a", { href: address(["kernel", name]), class: "mono" }, name), count(of.length), h("span", { class: "cell" }, bar(counts), h("span", { class: "words" }, worstFirst.filter((verdict) => counts[verdict]).map((verdict) => `${counts[verdict]} ${verdict}`).join(", "))), index.tuned[place] ? count(index.tuned[place]!) : h("span", { class: "muted" }, "none")];
  });
  return [h("h1", {}, "Kernels"), table(["kernel", { text: "scenarios", number: true }, "verdicts", { text: "tunings", number: true }], rows, "Kernels")];
}

export function kernelPage(): Child[] {
  const name = route().parts[1] ?? "";
  const place = index.kernels.indexOf(name);
  if (place < 0 || !name) return [h("h1", {}, "Kernel"), nothing(`This report has no kernel "${name}".`)];
  const problems = kernelAt(place)?.problems ?? [];
  const rows = index.scenarios.filter((row) => kernelOf(row) === name);
  const chosen = Math.min(problems.length - 1, Math.max(0, Number(route().query.get("of")) || 0));
  const view = h("div", {});
  const choose = (at: number): void => view.replaceChildren(problemView(problems[at]!));
  if (problems.length > 0) choose(chosen);
  const picker = h("select", { id: "problem", change: () => {
    history.replaceState(null, "", address(["kernel", name], { of: picker.value }));
    choose(Number(picker.value));
  } }, problems.map((problem, at) => h("option", { value: at, selected: at === chosen }, titleOfProblem(problem))));
  return [
    h("header", { class: "head" }, h("p", { class: "crumbs" }, h("a", { href: address(["kernels"]) }, "kernels"), " /"), h("h1", { class: "mono" }, name),
      h("p", { class: "muted" }, h("a", { href: address(["scenarios"], { q: name }) }, plural(rows.length, "scenario", "scenarios")), `: ${worstFirst.filter((verdict) => countsOf(rows)[verdict]).map((verdict) => `${countsOf(rows)[verdict]} ${verdict}`).join(", ")}`)),
    h("section", {}, h("h2", {}, "Configs"), problems.length === 0 ? nothing("No scenario of this kernel has tuned it, or the result is from a version of tunecheck that did not keep trials.") : [
      problems.length > 1 ? h("p", {}, h("label", { for: "problem" }, "Sizes "), picker) : h("p", { class: "muted" }, titleOfProblem(problems[0]!)), view]),
    h("section", {}, h("h2", {}, "Bytes and operations"), roofline(problems)),
  ];
}

const titleOfProblem = (problem: Problem): string =>
  [problem.sizes || "no sizes", problem.device, problem.arch, index.runs.length > 1 && titleOf(index.runs[problem.run]!), plural(problem.tunings, "tuning", "tunings")].filter(Boolean).join(" · ");

function problemView(problem: Problem): HTMLElement {
  const lines = problem.configs.map((config) => ({
    ...config, is_winner: config.won > 0, times_won: config.won,
    note: config.won ? `won ${config.won} of ${config.tunings}` : "",
    failure: config.failures.map(([why, times]) => (times > 1 ? `${why} (${times} times)` : why)).join("; "),
  }));
  const winners = problem.configs.filter((config) => config.won > 0).sort((a, b) => b.won - a.won);
  return h("div", {},
    h("p", { class: "small" }, winners.length === 0 ? "No config won." : winners.length === 1 ? `${winners[0]!.config} won every tuning.` : `Winners: ${winners.slice(0, 5).map((config) => `${config.config} (${config.won})`).join(", ")}${winners.length > 5 ? `, and ${winners.length - 5} more` : ""}.`),
    strips(lines, problem.source === "observers" ? "launches that observers timed" : "the tuner's median of each tuning"));
}

interface Point {
  intensity: number;
  rate: number;
  sizes: string;
  config: string;
  ns: number;
  bytes: number;
}

// The winner of each problem. The device's own roof is not known: the best that this kernel has
// shown stands in its place, and says so.
function roofline(problems: Problem[]): Child {
  const points = problems.filter((problem) => problem.bytes > 0 && problem.flops > 0).flatMap((problem): Point[] => {
    const best = problem.configs.filter((config) => config.won > 0).map((config) => ({ config, ns: config.dots_ns[config.dots_ns.length >> 1] || config.own_ns || config.median_ns })).filter(({ ns }) => ns > 0).sort((a, b) => a.ns - b.ns)[0];
    return best ? [{ intensity: problem.flops / problem.bytes, rate: problem.flops / best.ns, sizes: problem.sizes, config: best.config.config, ns: best.ns, bytes: problem.bytes }] : [];
  });
  if (points.length === 0) {
    const moved = problems.find((problem) => problem.bytes > 0);
    return nothing(moved ? "The kernel file counts no floating-point operations, so there is no roofline to draw." : "No winner has both a time and counts of bytes and operations: there is no roofline to draw.");
  }
  const bandwidth = Math.max(...points.map((point) => point.bytes / point.ns));
  return [
    chart(`Roofline of ${points.length} winners; the table below has the same`, (width) => drawRoofline(points, bandwidth, width)),
    h("p", { class: "muted small" }, `The line is the highest throughput that one of these winners reached, ${quantity(bandwidth * 1e9, "B/s")}: what the device can do is not known.`),
    table(["sizes", "winner", { text: "time", number: true }, { text: "operations per byte", number: true }, { text: "rate", number: true }, { text: "throughput", number: true }],
      points.map((point) => [point.sizes, h("code", {}, point.config), duration(point.ns), point.intensity.toPrecision(3), quantity(point.rate * 1e9, "FLOP/s"), quantity((point.bytes / point.ns) * 1e9, "B/s")]), "Winners with their rates"),
  ];
}

function drawRoofline(points: Point[], bandwidth: number, width: number): Element {
  const intensities = points.map((point) => point.intensity), rates = points.map((point) => point.rate);
  const domain = [Math.min(...intensities) / 3, Math.max(...intensities) * 3];
  return plot({
    width, height: Math.min(340, Math.max(220, width * 0.5)), marginLeft: 62, marginBottom: 40, grid: true,
    x: { type: "log", domain, label: null }, y: { type: "log", domain: [Math.min(...rates) / 3, Math.max(...rates, domain[1]! * bandwidth * 0.5) * 1.5], label: null },
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    marks: [
      axisX({ label: "operations per byte", ticks: Math.max(2, Math.floor(width / 160)), tickFormat: (value: number) => Number(value.toPrecision(2)).toString() }),
      axisY({ label: null, ticks: 4, tickFormat: (value: number) => quantity(value * 1e9, "") }),
      line(domain.map((intensity) => [intensity!, intensity! * bandwidth]), { stroke: "var(--muted)", strokeDasharray: "4 3", clip: true }),
      dot(points, { x: "intensity", y: "rate", r: 4.5, fill: "var(--accent)", fillOpacity: 0.6, title: (point: Point) => `${point.sizes}\n${point.config}\n${duration(point.ns)}`, tip: { fill: "var(--surface)", stroke: "var(--line)" } }),
      text([[domain[0]!, Math.max(...rates)]], { text: () => "FLOP/s", dx: 4, dy: -8, textAnchor: "start", fill: "var(--muted)" }),
    ],
  });
}

