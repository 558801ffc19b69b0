// What observers saw of a scenario, one lane a process.
import { dot, plot, rect, ruleX, text, tip, pointer, axisX } from "@observablehq/plot";
import { type Call, type Process, type Scenario, type CallEvent } from "./data";
import { chart, h, nothing, table, type Child } from "./dom";
import { count, duration, timeUnit } from "./format";

interface Mark {
  lane: number;
  from: number;
  to: number;
  kind: string;
  title: string;
  differing: number;
}

const kinds: [string, string][] = [["compile", "compile"], ["trials", "trials"], ["launch", "launch"], ["captured", "captured"], ["burst", "burst"], ["fault", "fault"], ["killed", "killed"]];

function describe(event: CallEvent): string {
  const what: Record<string, string> = {
    compile: event.from_store ? "compile, from the spy's store" : "compile",
    trials: `${count(event.count)} trial ${event.count === 1 ? "launch" : "launches"}`,
    launch: `${count(event.count)} ${event.count === 1 ? "launch" : "launches"}`,
    captured: `${count(event.count)} captured`,
    burst: `${count(event.count)} launches in a burst`,
  };
  return [what[event.kind] ?? event.kind, event.config, event.wall_ns ? duration(event.wall_ns) : "",
    event.failed ? `${count(event.failed)} failed` : "", event.differing ? `${count(event.differing)} saw arguments that differ` : "", event.text].filter(Boolean).join(", ");
}

export function timeline(scenario: Scenario, place: number): Child {
  const processes = scenario.processes.filter((process) => process.calls.length > 0);
  if (processes.length === 0) return nothing("This result has no timeline: the tuner was not called, or the result is from a version of tunecheck that did not keep one.");
  const marks = processes.flatMap((process, lane) => process.calls.flatMap((call) => call.events.map((event): Mark => {
    const from = call.asked_ns + event.at_ns;
    return { lane, from, to: from + event.wall_ns, kind: event.kind, title: describe(event), differing: event.differing };
  })));
  const calls = processes.flatMap((process, lane) => process.calls.map((call) => ({ lane, call, from: call.asked_ns, to: call.asked_ns + call.wall_ns })));
  const left_out = processes.reduce((sum, process) => sum + process.calls.reduce((inner, call) => inner + call.events_left_out, 0), 0);
  const differing = marks.reduce((sum, mark) => sum + mark.differing, 0);
  const end = Math.max(1, ...calls.map((call) => call.to), ...marks.map((mark) => mark.to));
  const present = kinds.filter(([kind]) => marks.some((mark) => mark.kind === kind));
  return [
    h("p", { class: "legend" }, present.map(([kind, name]) => h("span", {}, h("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), name)), differing > 0 && h("span", { class: "fail" }, `▲ ${count(differing)} launches saw arguments that differ`)),
    chart(`Timeline of ${processes.length} processes over ${duration(end)}; the table below has the same`, (width) => draw(processes, calls, marks, end, width)),
    left_out > 0 && h("p", { class: "muted small" }, `${count(left_out)} more events are not in this report.`),
    h("details", { class: "asatable", id: `events-${place}` }, h("summary", {}, `The ${count(marks.length)} events as a table`), lazily(() => eventTable(processes))),
  ];
}

// A table of hundreds of rows is made when it is opened.
function lazily(make: () => HTMLElement): HTMLElement {
  const holder = h("div", {});
  requestAnimationFrame(() => holder.parentElement?.addEventListener("toggle", () => holder.childElementCount === 0 && holder.append(make()), { once: true }));
  return holder;
}

const eventTable = (processes: Process[]): HTMLElement =>
  table(["process", "call", { text: "at", number: true }, "event"],
    processes.flatMap((process) => process.calls.flatMap((call) => call.events.map((event) => [h("span", { class: "mono" }, process.name), `${call.number}`, duration(call.asked_ns + event.at_ns), h("span", { class: event.differing ? "fail" : undefined }, describe(event))]))), "Events in the order of time");

interface Lane {
  lane: number;
  call: Call;
  from: number;
  to: number;
}

function draw(processes: Process[], calls: Lane[], marks: Mark[], end: number, width: number): Element {
  const unit = timeUnit(end);
  const x = (ns: number): number => ns / unit.ns;
  const height = 46;
  // A compile of a microsecond must still be seen.
  const least = (end / Math.max(width, 1)) * 1.5;
  const spans = marks.filter((mark) => mark.kind !== "fault" && mark.kind !== "killed");
  const points = marks.filter((mark) => mark.kind === "fault" || mark.kind === "killed");
  const colour = (mark: Mark): string => `var(--${mark.kind})`;
  return plot({
    width, height: processes.length * height + 34, marginLeft: 2, marginRight: 10, marginTop: 6, marginBottom: 28,
    x: { domain: [0, x(end * 1.01)], label: null }, y: { domain: [processes.length, 0], axis: null },
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    marks: [
      axisX({ tickFormat: (value: number) => `${value} ${unit.name}`, ticks: Math.max(2, Math.floor(width / 110)), tickSize: 3, label: null }),
      rect(calls, { x1: (call) => x(call.from), x2: (call) => x(Math.max(call.to, call.from + least)), y1: (call) => call.lane + 0.4, y2: (call) => call.lane + 0.92, fill: "var(--lane)", stroke: "var(--line)", rx: 2 }),
      rect(spans, { x1: (mark) => x(mark.from), x2: (mark) => x(Math.max(mark.to, mark.from + least)), y1: (mark) => mark.lane + 0.5, y2: (mark) => mark.lane + 0.82, fill: colour }),
      dot(points, { x: (mark) => x(mark.from), y: (mark) => mark.lane + 0.66, symbol: "diamond2", r: 5, fill: "var(--fail)" }),
      dot(spans.filter((mark) => mark.differing > 0), { x: (mark) => x(mark.from), y: (mark) => mark.lane + 0.42, symbol: "triangle", r: 5, fill: "var(--fail)" }),
      text(processes, { x: 0, y: (_, lane) => (lane ?? 0) + 0.2, text: (process: Process) => `${process.name}  ${process.end}`, textAnchor: "start", fill: "var(--ink)", fontWeight: 500 }),
      ruleX([0], { stroke: "var(--line)" }),
      tip(spans, pointer({ x: (mark: Mark) => x((mark.from + mark.to) / 2), y: (mark: Mark) => mark.lane + 0.66, title: (mark: Mark) => mark.title, fill: "var(--surface)", stroke: "var(--line)" })),
    ],
  });
}
