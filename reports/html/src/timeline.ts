// What observers saw of a scenario, one lane a process.
import { dot, plot, rect, ruleX, text, tip, pointer, axisX } from "@observablehq/plot";
import { type Call, type Process, type Scenario, type CallEvent } from "./data";
import { chart, h, nothing, table, type Child } from "./dom";
import { count, duration, timeUnit } from "./format";
import { saveButton, searchField, zoomButtons, type Range, type TraceEvent } from "./lanes";

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
  const folded = fold(processes);
  const drawing = h("div", {});
  let range: Range = [0, end * 1.01], wanted = "", isFolded = folded.length < processes.length;
  const show = (): void => {
    // A lane that stands for others has their number, and its own events.
    const lanes = isFolded ? folded : processes.map((process, lane) => ({ process, lane, count: 1 }));
    const at = new Map(lanes.map(({ lane }, place) => [lane, place]));
    const here = <T extends { lane: number }>(all: T[]): T[] => all.filter(({ lane }) => at.has(lane)).map((one) => ({ ...one, lane: at.get(one.lane)! }));
    const found = (mark: Mark): boolean => !wanted || mark.title.toLowerCase().includes(wanted) || processes[mark.lane]!.name.toLowerCase().includes(wanted);
    drawing.replaceChildren(chart(`Timeline of ${lanes.length} lanes over ${duration(range[1] - range[0])}; the table below has the same`, (width) =>
      draw(lanes.map(({ process, count: times }) => ({ process, times })), here(calls), here(marks.filter(found)), range, width)));
  };
  show();
  const fewer = folded.length < processes.length && h("button", { type: "button", class: "quiet", "aria-pressed": "true", click: ({ currentTarget }) => {
    isFolded = !isFolded;
    (currentTarget as HTMLElement).setAttribute("aria-pressed", String(isFolded));
    show();
  } }, "Equal lanes as one");
  const present = kinds.filter(([kind]) => marks.some((mark) => mark.kind === kind));
  return [
    h("p", { class: "legend" }, present.map(([kind, name]) => h("span", {}, h("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), name)), differing > 0 && h("span", { class: "fail" }, `▲ ${count(differing)} launches saw arguments that differ`)),
    h("p", { class: "lanetools" }, zoomButtons([0, end * 1.01], (next) => { range = next; show(); }), searchField("Find events", (text) => { wanted = text; show(); }), fewer,
      saveButton(`scenario-${place}`, () => traceEvents(processes))),
    drawing,
    left_out > 0 && h("p", { class: "muted small" }, `${count(left_out)} more events are not in this report.`),
    h("details", { class: "asatable", id: `events-${place}` }, h("summary", {}, `The ${count(marks.length)} events as a table`), lazily(() => eventTable(processes))),
  ];
}

interface Folded {
  process: Process;
  lane: number;
  count: number;
}

/** Processes in which the same happened in the same order are one: the first, and how many there are. */
function fold(processes: Process[]): Folded[] {
  const groups = new Map<string, Folded>();
  for (const [lane, process] of processes.entries()) {
    const key = JSON.stringify([process.end, process.calls.map((call) => [call.outcome, call.cache, call.winner, call.events.map(({ kind, config, count: times, failed, differing }) => [kind, config, times, failed, differing])])]);
    const group = groups.get(key);
    if (group) group.count += 1;
    else groups.set(key, { process, lane, count: 1 });
  }
  return [...groups.values()];
}

const traceEvents = (processes: Process[]): TraceEvent[] =>
  processes.flatMap((process) => process.calls.flatMap((call) => [
    { process: process.name, lane: "calls", name: `call ${call.number}`, from_ns: call.asked_ns, to_ns: call.asked_ns + call.wall_ns, about: { outcome: call.outcome, cache: call.cache, winner: call.winner } },
    ...call.events.map((event) => ({ process: process.name, lane: event.kind, name: event.config || event.kind, from_ns: call.asked_ns + event.at_ns, to_ns: call.asked_ns + event.at_ns + event.wall_ns, about: { kind: event.kind, count: event.count, failed: event.failed, differing: event.differing, text: event.text } }))]));

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

function draw(processes: { process: Process; times: number }[], calls: Lane[], marks: Mark[], [begin, end]: Range, width: number): Element {
  const unit = timeUnit(end - begin);
  const x = (ns: number): number => ns / unit.ns;
  const height = 46;
  // A compile of a microsecond must still be seen.
  const least = ((end - begin) / Math.max(width, 1)) * 1.5;
  // What is not in sight is left out, and what reaches over an edge ends there.
  const seen = marks.filter((mark) => mark.to >= begin && mark.from <= end).map((mark) => ({ ...mark, from: Math.max(mark.from, begin), to: Math.min(mark.to, end) }));
  calls = calls.filter((call) => call.to >= begin && call.from <= end).map((call) => ({ ...call, from: Math.max(call.from, begin), to: Math.min(call.to, end) }));
  const spans = seen.filter((mark) => mark.kind !== "fault" && mark.kind !== "killed");
  const points = seen.filter((mark) => mark.kind === "fault" || mark.kind === "killed");
  const colour = (mark: Mark): string => `var(--${mark.kind})`;
  return plot({
    width, height: processes.length * height + 34, marginLeft: 2, marginRight: 10, marginTop: 6, marginBottom: 28,
    x: { domain: [x(begin), x(end)], label: null }, y: { domain: [processes.length, 0], axis: null },
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    marks: [
      axisX({ tickFormat: (value: number) => `${value} ${unit.name}`, ticks: Math.max(2, Math.floor(width / 110)), tickSize: 3, label: null }),
      rect(calls, { x1: (call) => x(call.from), x2: (call) => x(Math.max(call.to, call.from + least)), y1: (call) => call.lane + 0.4, y2: (call) => call.lane + 0.92, fill: "var(--lane)", stroke: "var(--line)", rx: 2 }),
      rect(spans, { x1: (mark) => x(mark.from), x2: (mark) => x(Math.max(mark.to, mark.from + least)), y1: (mark) => mark.lane + 0.5, y2: (mark) => mark.lane + 0.82, fill: colour }),
      dot(points, { x: (mark) => x(mark.from), y: (mark) => mark.lane + 0.66, symbol: "diamond2", r: 5, fill: "var(--fail)" }),
      dot(spans.filter((mark) => mark.differing > 0), { x: (mark) => x(mark.from), y: (mark) => mark.lane + 0.42, symbol: "triangle", r: 5, fill: "var(--fail)" }),
      text(processes, { frameAnchor: "left", y: (_: unknown, lane: number) => lane + 0.2, text: ({ process, times }: { process: Process; times: number }) => `${process.name}${times > 1 ? ` and ${times - 1} like it` : ""}  ${process.end}`, textAnchor: "start", fill: "var(--ink)", fontWeight: 500 } as never),
      ruleX([x(begin)], { stroke: "var(--line)" }),
      tip(spans, pointer({ x: (mark: Mark) => x((mark.from + mark.to) / 2), y: (mark: Mark) => mark.lane + 0.66, title: (mark: Mark) => mark.title, fill: "var(--surface)", stroke: "var(--line)" })),
    ],
  });
}
