// What `tunecheck gate` found: each benchmark's change with its interval, against what counts as slower.
import { axisX, dot, link, plot, rect, ruleX, ruleY, text } from "@observablehq/plot";
import { badge } from "./badge";
import { answers, briefOf, headline } from "./brief";
import { documentOf, index, type Brief, type Gate } from "./data";
import { breakable, chart, facts, h, nothing, table, type Child } from "./dom";
import { change, count, duration, measure, moment, percent } from "./format";
import { address, route } from "./route";

type Number_ = number | null;
type Session = Gate & { file: string };
type Benchmark = Gate["benchmarks"][number];
type Process = Benchmark["pairs"][number]["base"];

const gates = (): Session[] => Array.from({ length: index.gates }, (_, number) => documentOf("gate", number));
const order = ["regression", "invalid", "inconclusive", "improved", "pass"];
const byAnswer = (a: { answer: string }, b: { answer: string }): number => order.indexOf(a.answer) - order.indexOf(b.answer);
const value = (number: Number_, unit: string): string => (number === null ? "none" : measure(number, unit));
const sideName = (side: Gate["base"]): string => side.given || side.folder;

export function gatePage(): Child[] {
  if (index.gates === 0) return [h("h1", {}, "Gate"), nothing("This report has no gate session; `tunecheck gate` makes one.")];
  return gates().map((gate, number) => session(gate, briefOf("gate", number), number));
}

// A session that is not to be trusted would have found nothing, whatever its times look like.
const power = (gate: Session, brief: Brief): string =>
  brief.verdict.standing === "untrusted" ? "The session is invalid: nobody knows what slowdown it would have found."
    : gate.detectable === null ? "It is not known how small a slowdown would have been found."
      : `A slowdown of ${percent(gate.detectable)} would have been found in every benchmark with a probability of ${percent(gate.settings.stated_power)}.`;

function session(gate: Session, brief: Brief, number: number): HTMLElement {
  const measured = gate.benchmarks.filter(({ role }) => role === "measured").sort(byAnswer);
  const canaries = gate.benchmarks.filter(({ role }) => role !== "measured");
  const { delta, tolerance, planted } = gate.settings;
  const chosen = h("div", { id: `pairs-${number}` });
  const bench = [...measured, ...canaries];
  const show = (name: string): void => {
    const found = bench.find((benchmark) => benchmark.name === name);
    chosen.replaceChildren(...(found ? [pairsOf(found, delta)] : []));
  };
  const picker = h("select", { id: `benchmark-${number}`, change: () => {
    history.replaceState(null, "", address(["gate"], { benchmark: picker.value, document: number || undefined }));
    show(picker.value);
  } }, bench.map(({ name }) => h("option", { value: name, selected: route().query.get("benchmark") === name }, name)));
  show(route().query.get("benchmark") ?? bench[0]?.name ?? "");
  return h("div", {},
    headline(brief.verdict, "Gate: is the head slower than the base?", h("p", { class: "muted" }, brief.subject, ", ", moment(gate.started), ", ", duration(gate.wall_ns))),
    answers(brief),
    h("section", {}, h("h2", {}, "Changes"), measured.length === 0 ? nothing("No benchmark was measured.") : [
      h("p", { class: "small muted" }, `Right is slower. The band is what counts as the same (δ ${percent(delta)}); the dashed line is the tolerance, ${percent(tolerance)}. An arrow is an end that is open.`),
      chart(`Changes of ${measured.length} benchmarks with their intervals; the table below has the same`, (width) => forest(measured, delta, tolerance, width)),
      changeTable(measured)]),
    h("section", {}, h("h2", {}, "What could have been found"),
      h("p", {}, power(gate, brief)),
      canaries.length === 0 ? nothing("There was no canary.") : table(["canary", "is", "found", { text: "change", number: true }, "reason"], canaries.map((canary) => [canary.name, canary.role === "same" ? "the same build twice" : `slowed down by ${percent(planted)}`, found(canary), canary.change === null ? "" : change(canary.change), canary.reason]), "Canaries")),
    bench.length > 0 && h("section", {}, h("h2", {}, "Pairs"), h("p", {}, h("label", { for: picker.id }, "Benchmark "), picker), chosen),
    h("section", {}, h("h2", {}, "Counts"), gate.counts.length === 0 ? nothing("Nothing was counted.") : table(["", "name", { text: "base", number: true }, { text: "head", number: true }, "unit", "reason"],
      [...gate.counts].sort(byAnswer).map((counted) => [badge(counted.answer), breakable(counted.name), unique(counted.base), unique(counted.head), counted.unit, counted.reason]), "Counts of base and head")),
    h("section", {}, h("h2", {}, "Winners that changed"), gate.winner_changes.length === 0 ? nothing("None.") : table(["kernel", "base", "head", "measured by"],
      gate.winner_changes.map((winner) => [`${winner.kernel} ${winner.size}`, h("code", {}, breakable(winner.base)), h("code", {}, breakable(winner.head)), breakable(winner.benchmark || winner.reason)]), "Winners that changed")),
    (gate.added.length > 0 || gate.removed.length > 0 || gate.renamed.length > 0) && h("section", {}, h("h2", {}, "Added and removed"), facts([["added", gate.added.join(", ")], ["removed", gate.removed.join(", ")], ["perhaps renamed", gate.renamed.map(({ base, head }) => `${base} to ${head}`).join(", ")]])),
    h("section", {}, h("h2", {}, "What was measured"), facts([
      ["base", sideText(gate.base)], ["head", sideText(gate.head)], ["backend", gate.backend], ["adapter", gate.adapter], ["processes", gate.pinning], ["seed", String(gate.seed)], ["file", h("code", {}, gate.file)], ...Object.entries(gate.environment)])));
}

// The canary that is slowed down must be found: that is no bad news.
const found = ({ role, answer }: Benchmark): Child => (role === "slowed" && answer === "regression" ? "regression, as planted" : badge(answer));
const sideText = (side: Gate["base"]): string => [sideName(side), side.commit.slice(0, 12), side.tuner].filter(Boolean).join(", ");
const unique = (values: number[]): string => [...new Set(values)].map(count).join(", ");
const bound = (share: Number_, other: string): string => (share === null ? other : change(share));

// What a reader looks for stands in the first two columns, which a phone shows.
const changeTable = (benchmarks: Benchmark[]): HTMLElement =>
  table(["benchmark", { text: "change", number: true }, { text: "base", number: true }, { text: "head", number: true }, { text: "pairs", number: true }, { text: "would show", number: true }],
    benchmarks.map((one) => [[badge(one.settled ? one.answer : "not settled"), h("span", { class: "name block" }, breakable(one.name)), one.reason && h("span", { class: "muted small block" }, one.reason)],
      [h("b", {}, bound(one.change, "")), one.change !== null && h("span", { class: "muted small block" }, `${bound(one.at_least, "◀")} to ${bound(one.at_most, "▶")}`)], value(one.base_median, one.unit), value(one.head_median, one.unit), String(one.screen_pairs + one.confirmation_pairs), bound(one.detectable, "not known")]), "Changes with their intervals");

const shares = [1, 10, 100, 1000, 10000].flatMap((power) => [1, 2, 5].map((digit) => digit * power));

// Where one change is far larger than the others, a line that grows with the logarithm shows those as well.
// Its marks, from 0 to either side as far as their texts have room; all in percent.
function marksOf(least: number, most: number, constant: number, width: number): number[] {
  const logarithm = (share: number): number => Math.sign(share) * Math.log1p(Math.abs(share) / constant);
  const place = (share: number): number => ((logarithm(share) - logarithm(least)) / (logarithm(most) - logarithm(least))) * width;
  const marks = [0];
  for (const sign of [-1, 1]) {
    let last = place(0);
    for (const share of shares.filter((share) => share >= constant).map((share) => sign * share))
      if (Math.abs(place(share) - last) > 58 && place(share) > 24 && place(share) < width - 24) {
        marks.push(share);
        last = place(share);
      }
  }
  return marks;
}

function forest(benchmarks: Benchmark[], delta: number, tolerance: number, width: number): Element {
  const finite = benchmarks.flatMap((one) => [one.change, one.at_least, one.at_most]).filter((share): share is number => share !== null);
  const most = Math.max(tolerance * 1.4, ...finite.map(Math.abs)) * 1.08;
  const least = -Math.min(most, 1);  // nothing takes less than no time
  const clip = (share: Number_, open: number): number => (share === null ? open : Math.max(least, Math.min(most, share))) * 100;
  const rows = benchmarks.length, height = 38;
  const isWide = most > 4 * tolerance;
  const ticks = isWide ? marksOf(least * 100, most * 100, tolerance * 100, width) : Math.max(2, Math.floor(width / 110));
  const colour = (one: Benchmark): string => `var(--${one.settled ? one.answer : "inconclusive"})`;
  const halo = { stroke: "var(--surface)", strokeWidth: 4 };
  return plot({
    width, height: rows * height + (isWide ? 46 : 34), marginLeft: 14, marginRight: 14, marginTop: 4, marginBottom: isWide ? 40 : 28,
    x: { type: isWide ? "symlog" : "linear", constant: tolerance * 100, domain: [least * 100, most * 100], label: null }, y: { domain: [rows, 0], axis: null },
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    marks: [
      rect([0], { x1: -delta * 100, x2: delta * 100, y1: 0, y2: rows, fill: "var(--unsupported-soft)" }),
      axisX({ ticks: ticks as never, tickFormat: (share: number) => isWide && share >= 200 ? `× ${count(1 + share / 100)}` : `${share > 0 ? "+" : ""}${count(share)} %`, label: isWide ? "change, log scale" : null, labelAnchor: "right", tickSize: 3 } as never),
      ruleX([0], { stroke: "var(--muted)" }), ruleX([tolerance * 100], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
      link(benchmarks.map((one, place) => ({ one, place })).filter(({ one }) => one.at_least !== null || one.at_most !== null), { x1: ({ one }) => clip(one.at_least, least), x2: ({ one }) => clip(one.at_most, most), y1: ({ place }) => place + 0.7, y2: ({ place }) => place + 0.7, stroke: ({ one }) => colour(one), strokeWidth: 3, strokeOpacity: 0.55 }),
      // An end that nobody knows is no end: an arrow, not a line to the edge.
      ...([["at_least", least, "◀"], ["at_most", most, "▶"]] as const).map(([end, edge, arrow]) => text(benchmarks.map((one, place) => ({ one, place })).filter(({ one }) => one[end] === null && one.change !== null), { x: edge * 100, y: ({ place }) => place + 0.7, text: () => arrow, fill: ({ one }) => colour(one), fontSize: 13 })),
      dot(benchmarks.map((one, place) => ({ one, place })).filter(({ one }) => one.change !== null), { x: ({ one }) => clip(one.change, 0), y: ({ place }) => place + 0.7, r: 5, fill: ({ one }) => colour(one) }),
      text(benchmarks, { frameAnchor: "left", y: (_: unknown, place: number) => place + 0.3, text: "name", textAnchor: "start", fill: "var(--ink)", lineWidth: (width - 100) / 12, textOverflow: "ellipsis-middle", ...halo } as never),
      text(benchmarks, { frameAnchor: "right", y: (_: unknown, place: number) => place + 0.3, text: (one: Benchmark) => bound(one.change, "no estimate"), textAnchor: "end", fill: "var(--muted)", ...halo } as never),
    ],
  });
}

// The median in the time that decided: wall time, or CPU time.
const medianOf = (process: Process, one: Benchmark): Number_ => (process.failure ? null : one.decided_by === "cpu_time" ? process.cpu_median : process.median);

// Each pair's ratio in the order in which it ran: a drift shows, and a burst.
function pairsOf(one: Benchmark, delta: number): HTMLElement {
  const points = one.pairs.map((pair, number) => {
    const base = medianOf(pair.base, one), head = medianOf(pair.head, one);
    return { number: number + 1, first: pair.first, base, head, ratio: base && head ? head / base - 1 : null };
  });
  const good = points.filter((point) => point.ratio !== null);
  const failures = one.pairs.map(({ base, head }, number) => ({ number: number + 1, why: [base.failure && `base: ${base.failure}`, head.failure && `head: ${head.failure}`].filter(Boolean).join("; ") })).filter(({ why }) => why);
  return h("div", {},
    good.length === 0 ? nothing("No pair has two times.") : [
      h("p", { class: "legend" }, h("span", {}, "● the base ran first"), h("span", {}, "○ the head ran first"), one.screen_pairs > 0 && one.confirmation_pairs > 0 && h("span", {}, `The first ${one.screen_pairs} screen, the others confirm.`)),
      chart(`Changes of ${good.length} pairs of ${one.name}`, (width) => plot({
        width, height: 220, marginLeft: 56, marginRight: 10, marginBottom: 30,
        x: { domain: [0.5, points.length + 0.5], label: null }, y: { label: null, tickFormat: (share: number) => (share >= 2 ? `× ${count(+(1 + share).toFixed(1))}` : `${share > 0 ? "+" : ""}${count(+(share * 100).toFixed(2))} %`), ticks: 5, nice: true },
        style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
        marks: [
          axisX({ ticks: Math.min(points.length, Math.floor(width / 60)), tickFormat: (number: number) => (Number.isInteger(number) ? String(number) : ""), label: "pair", tickSize: 3 }),
          ruleY([0], { stroke: "var(--muted)" }), ruleY([delta], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
          one.screen_pairs > 0 && one.confirmation_pairs > 0 ? ruleX([one.screen_pairs + 0.5], { stroke: "var(--line)" }) : null,
          dot(good, { x: "number", y: "ratio", r: 4, stroke: "var(--accent)", strokeWidth: 1.5, fill: (point) => (point.first === "base" ? "var(--accent)" : "var(--surface)"), title: (point) => `pair ${point.number}: ${value(point.base, one.unit)} and ${value(point.head, one.unit)}`, tip: { fill: "var(--surface)", stroke: "var(--line)" } }),
        ],
      }))],
    failures.length > 0 && table([{ text: "pair", number: true }, "what failed"], failures.map(({ number, why }) => [String(number), why]), "Pairs that failed"));
}

