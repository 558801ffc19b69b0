// Configs one below the other, each with its distribution as dots: the shape of the data, not a
// summary of it. Fast ones first.
import { dot, plot, ruleY, text, axisX } from "@observablehq/plot";
import { chart, h, nothing, table, type Child } from "./dom";
import { count, duration, middleOf, timeUnit } from "./format";

export interface Line {
  config: string;
  is_winner: boolean;
  is_default: boolean;
  times_won: number;
  median_ns: number;
  own_ns: number;
  dots_ns: number[];
  failure: string;
  launches: number;
  note: string;
}

const few = 24;

export function strips(lines: Line[], source: string): Child[] {
  const middle = (line: Line): number => line.dots_ns[line.dots_ns.length >> 1] || line.median_ns || line.own_ns;
  const timed = lines.filter((line) => middle(line) > 0).sort((a, b) => middle(a) - middle(b));
  const failed = lines.filter((line) => line.failure);
  const shown = h("div", {});
  const show = (all: boolean): void => {
    const part = all ? timed : [...timed.slice(0, few), ...timed.slice(few).filter((line) => line.is_winner || line.is_default)];
    shown.replaceChildren(
      chart(`Times of ${part.length} configs; the table below has the same`, (width) => draw(part, middle, width)),
      ...(part.length < timed.length ? [h("button", { type: "button", class: "quiet", click: () => show(true) }, `Show all ${count(timed.length)} configs`)] : []));
  };
  if (timed.length > 0) show(false);
  const ways = failed.filter((line) => middle(line) === 0).length;
  return [
    timed.length > 0 ? [
      h("p", { class: "legend" }, h("span", {}, h("span", { class: "swatch dotted", "aria-hidden": "true" }), source), h("span", {}, "│ median"), timed.some((line) => line.own_ns) && h("span", {}, "◇ measured by the judge"), h("span", { class: "pass" }, "★ winner"), timed.some((line) => line.is_default) && h("span", {}, "○ default")),
      shown,
      h("details", { class: "asatable" }, h("summary", {}, "As a table"), table(["config", "", { text: "median", number: true }, { text: "as the tuner says", number: true }, { text: "as the judge measured", number: true }, { text: "launches", number: true }],
        timed.map((line) => [h("code", {}, line.config), [line.is_winner && "winner", line.is_default && "default", line.note].filter(Boolean).join(", "), duration(middle(line)), line.median_ns ? duration(line.median_ns) : "", line.own_ns ? duration(line.own_ns) : "", count(line.launches)]), "Configs and their times")),
    ] : nothing("No config has a time."),
    failed.length > 0 && [h("h4", {}, `${count(failed.length)} did not run${ways < failed.length ? " every time" : ""}`), table(["config", "why"], failed.map((line) => [h("code", {}, line.config), line.failure]), "Configs that failed")],
  ];
}

function draw(lines: Line[], middle: (line: Line) => number, width: number): Element {
  const height = 36;
  const all = lines.flatMap((line) => [middle(line), line.own_ns, ...line.dots_ns]).filter((ns) => ns > 0);
  const unit = timeUnit(middleOf(lines.map(middle)));
  const least = Math.min(...all) / unit.ns, greatest = Math.max(...all) / unit.ns;
  const wide = greatest / least > 20;
  const dots = lines.flatMap((line, at) => line.dots_ns.map((ns) => ({ at, ns, line })));
  const medians = lines.map((line, at) => ({ at, line }));
  const colour = (line: Line): string => (line.is_winner ? "var(--pass)" : "var(--accent)");
  const label = (line: Line): string => `${line.is_winner ? `★${line.times_won > 1 ? ` ${line.times_won} times` : ""} ` : ""}${line.is_default ? "○ " : ""}${line.config}`;
  const room = Math.max(12, Math.floor((width - 100) / 7));
  return plot({
    width, height: lines.length * height + (wide ? 44 : 30), marginLeft: 6, marginRight: 12, marginTop: 2, marginBottom: wide ? 40 : 26,
    x: { type: wide ? "log" : "linear", domain: [wide ? least * 0.9 : Math.max(0, least - (greatest - least) * 0.05), wide ? greatest * 1.1 : greatest + (greatest - least) * 0.05 || greatest * 1.05], label: null },
    y: { domain: [lines.length, 0], axis: null },
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    marks: [
      axisX({ tickFormat: (value: number) => `${count(value)} ${unit.name}`, ticks: Math.max(2, Math.floor(width / 120)), tickSize: 3, label: wide ? "log scale" : null, labelAnchor: "right" }),
      ruleY(medians, { y: (row) => row.at + 0.72, stroke: "var(--line)" }),
      dot(dots, { x: (row) => row.ns / unit.ns, y: (row) => row.at + 0.72, r: 3, fill: (row) => colour(row.line), fillOpacity: 0.45 }),
      dot(medians.filter((row) => row.line.own_ns > 0), { x: (row) => row.line.own_ns / unit.ns, y: (row) => row.at + 0.72, symbol: "diamond", r: 4.5, stroke: "var(--ink)" }),
      text(medians, { x: (row) => middle(row.line) / unit.ns, y: (row) => row.at + 0.72, text: () => "│", fill: (row) => colour(row.line), fontSize: 16, fontWeight: 700 }),
      text(medians, { frameAnchor: "left", y: (row) => row.at + 0.3, text: (row) => (label(row.line).length > room ? `${label(row.line).slice(0, room - 1)}…` : label(row.line)), textAnchor: "start", dx: 0, fill: "var(--ink)", fontFamily: "var(--mono)", }),
      text(medians, { frameAnchor: "right", y: (row) => row.at + 0.3, text: (row) => duration(middle(row.line)), textAnchor: "end", fill: "var(--muted)" }),
    ],
  });
}
