// When a tuned kernel was launched: a lane for each process and stream of each run, all on one axis,
// and in it a row for each code.
import { axisX, plot, pointer, rect, ruleX, text, tip } from "@observablehq/plot";
import { type Watch } from "./data";
import { chart, h, table } from "./dom";
import { count, duration, timeUnit } from "./format";
import { saveButton, searchField, zoomButtons, type TraceEvent } from "./lanes";

type Timeline = Watch["timelines"][number];
type Call = Timeline["calls"][number];
type Span = Call["spans"][number];

interface Lane {
  name: string;
  run: number;
  calls: Call[];
  rows: number[];  // codes, from top to bottom
  top: number;
}
interface Row {
  code: number;  // -1: those that share a row
  y: number;
}
interface Mark {
  lane: Lane;
  call: Call;
  span: Span;
  y: number;
}

const fewLanes = 9, fewRows = 14;
const head = 22, rowHeight = 13, gap = 10;

/** A, B, ... Z, AA: codes are long names, and a phone is narrow. */
export function letter(place: number): string {
  const rest = Math.floor(place / 26);
  return (rest > 0 ? letter(rest - 1) : "") + String.fromCharCode(65 + (place % 26));
}

const kindNames: Record<Span["kind"], string> = { trial: "trial", winner: "winner, after the trials", launch: "launch", counted: "only counted" };

function laneName(watch: Watch, call: Call, several: { processes: boolean; streams: boolean }): string {
  return [watch.runs[call.run]?.name ?? `run ${call.run + 1}`, call.rank && `rank ${call.rank}`, several.processes && !call.rank && `process ${call.process}`, several.streams && `stream ${call.stream}`].filter(Boolean).join(" · ");
}

function lanesOf(watch: Watch, timeline: Timeline): Lane[] {
  const groups = new Map<string, Call[]>();
  for (const call of timeline.calls) {
    const key = `${call.run} ${call.process} ${call.stream}`;
    groups.get(key)?.push(call) ?? groups.set(key, [call]);
  }
  const firsts = [...groups.values()].map((calls) => calls[0]!);
  const several = {
    processes: firsts.some((one) => firsts.some((other) => other.run === one.run && other.process !== one.process)),
    streams: firsts.some((one) => firsts.some((other) => other.run === one.run && other.process === one.process && other.stream !== one.stream)),
  };
  // The same code is in the same row of every lane; those that nobody chose share the last one.
  const won = new Set(timeline.calls.flatMap(({ spans }) => spans.filter(({ kind }) => kind !== "trial").map(({ code }) => code)));
  const codes = timeline.codes.map((_, code) => code);
  const shown = codes.length <= fewRows ? codes : [...codes.filter((code) => won.has(code)), ...codes.filter((code) => !won.has(code))].slice(0, fewRows - 1).sort((one, other) => one - other);
  return [...groups.values()].map((calls) => {
    const used = new Set(calls.flatMap(({ spans }) => spans.map(({ code }) => code)));
    const rows = shown.filter((code) => used.has(code));
    if ([...used].some((code) => !rows.includes(code))) rows.push(-1);
    return { name: laneName(watch, calls[0]!, several), run: calls[0]!.run, calls, rows, top: 0 };
  });
}

/** Some of each run: it is their comparison that matters. */
function someOf(lanes: Lane[]): Lane[] {
  const runs = new Set(lanes.map(({ run }) => run));
  const most = Math.max(1, Math.floor(fewLanes / runs.size));
  return [...runs].flatMap((run) => lanes.filter((lane) => lane.run === run).slice(0, most));
}

const isTuning = (call: Call): boolean => call.spans.length > 1 && call.spans.some(({ kind }) => kind === "trial" || kind === "winner");
const endOf = (call: Call): number => Math.max(...call.spans.map(({ to_ns }) => to_ns));
const isSpoilt = (call: Call): boolean => isTuning(call) && call.replayed === "differs";

/** What a call was like, in one line. */
function about(call: Call): string {
  const replay: Record<Call["replayed"], string> = { not_asked: "", same: "one clean launch of the winner leaves the same", differs: "one clean launch of the winner leaves another result", not_steady: "the winner leaves another result each time", on_copies: "on copies" };
  return [call.repeated > 1 && `${count(call.repeated)} calls`, call.spoilt > 0 && `${launches(call.spoilt)} found what an earlier one had left`, call.restored > 0 && `put back ${call.restored === 1 ? "once" : `${count(call.restored)} times`}`, call.measured > 0 && `clock read before ${launches(call.measured)}`, isTuning(call) && replay[call.replayed]].filter(Boolean).join("; ");
}
const launches = (number: number): string => `${count(number)} ${number === 1 ? "launch" : "launches"}`;

/** From the first launch of any run to the end of the last tuning, and to the first launch of each run. */
function tuningRange(timeline: Timeline): [number, number] {
  const first = new Map<number, Span>();
  for (const { run, spans } of timeline.calls)
    for (const span of spans) if (!first.has(run) || span.from_ns < first.get(run)!.from_ns) first.set(run, span);
  const begins = [...first.values()].map(({ from_ns }) => from_ns);
  return [Math.min(...begins), Math.max(...begins, ...timeline.calls.filter(isTuning).map(endOf))];
}
const wholeRange = (timeline: Timeline): [number, number] => [0, Math.max(1, ...timeline.calls.map(endOf))];

export function watchline(watch: Watch, timeline: Timeline): HTMLElement {
  if (timeline.calls.every(({ spans }) => spans.length === 0)) return h("div", {}, h("p", { class: "nothing" }, "No launch of it is kept."));
  const lanes = lanesOf(watch, timeline);
  const tuning = tuningRange(timeline), whole = wholeRange(timeline);
  const ranges = tuning[1] - tuning[0] < (whole[1] - whole[0]) * 0.9 ? [["The tuning", tuning], ["Whole runs", whole]] as const : [];
  let range: readonly [number, number] = ranges.length > 0 ? tuning : whole;
  let isAll = lanes.length <= fewLanes;
  const drawing = h("div", {});
  const buttons = ranges.map(([name, of]) => h("button", { type: "button", class: "chip", "aria-pressed": String(of === range), click: () => {
    range = of;
    for (const [at, button] of buttons.entries()) button.setAttribute("aria-pressed", String(ranges[at]![1] === range));
    show();
  } }, name));
  const folded = foldLanes(lanes);
  let isFolded = folded.length < lanes.length, wanted = "";
  const matches = (lane: Lane): boolean => !wanted || `${lane.name} ${lane.rows.map((code) => timeline.codes[code] ?? "").join(" ")}`.toLowerCase().includes(wanted);
  const show = (): void => {
    const of = (isFolded ? folded : lanes).filter(matches);
    const part = isAll ? of : someOf(of);
    drawing.replaceChildren(
      chart(`Launches of ${timeline.kernel} in ${part.length} lanes; the table below has the same`, (width) => draw(part, range, width)),
      ...(isAll || part.length === of.length ? [] : [h("button", { type: "button", class: "quiet", click: () => { isAll = true; show(); } }, `Show all ${count(of.length)} lanes`)]));
  };
  show();
  const tools = h("p", { class: "lanetools" }, zoomButtons(whole, (next) => {
    range = next;
    for (const button of buttons) button.setAttribute("aria-pressed", "false");
    show();
  }), searchField("Find lanes or codes", (text) => { wanted = text; show(); }),
    folded.length < lanes.length && h("button", { type: "button", class: "quiet", "aria-pressed": "true", click: ({ currentTarget }) => {
      isFolded = !isFolded;
      (currentTarget as HTMLElement).setAttribute("aria-pressed", String(isFolded));
      show();
    } }, "Equal lanes as one"),
    saveButton(timeline.kernel || "watch", () => traceEvents(watch, timeline, lanes)));
  const kinds = (["trial", "winner", "launch", "counted"] as const).filter((kind) => timeline.calls.some(({ spans }) => spans.some((span) => span.kind === kind)));
  const wrong = timeline.calls.filter(isSpoilt);
  const spoilt = wrong.reduce((sum, call) => sum + call.spoilt, 0);
  return h("div", { class: "watchline" },
    h("p", { class: "legend" }, kinds.map((kind) => h("span", {}, h("span", { class: `swatch of-${kind}`, "aria-hidden": "true" }), kindNames[kind])),
      timeline.calls.some(({ restored }) => restored > 0) && h("span", {}, "↺ arguments put back"),
      wrong.length > 0 && h("span", { class: "fail" }, `▲ not put back: ${launches(spoilt)} found what an earlier one had left`)),
    buttons.length > 0 && h("p", { class: "chips", role: "group", "aria-label": "Part of the time" }, buttons),
    tools,
    drawing,
    h("ol", { class: "codes" }, timeline.codes.slice(0, 26 * 4).map((code, place) => h("li", {}, h("span", { class: "letter" }, letter(place)), h("code", {}, code || "(without a name)")))),
    timeline.codes.length > 26 * 4 && h("p", { class: "muted small" }, `${count(timeline.codes.length - 26 * 4)} more codes are in the table.`),
    timeline.spans_left_out > 0 && h("p", { class: "muted small" }, `${count(timeline.spans_left_out)} more entries are not in this file.`),
    asTable(lanes, timeline));
}

/** Lanes of one run in which the same codes were launched in the same order are one, with their number. */
function foldLanes(lanes: Lane[]): Lane[] {
  const groups = new Map<string, { lane: Lane; times: number }>();
  for (const lane of lanes) {
    const key = JSON.stringify([lane.run, lane.calls.map((call) => [call.replayed, call.spans.map(({ kind, code }) => [kind, code])])]);
    const group = groups.get(key);
    if (group) group.times += 1;
    else groups.set(key, { lane, times: 1 });
  }
  return [...groups.values()].map(({ lane, times }) => (times > 1 ? { ...lane, name: `${lane.name} and ${times - 1} like it` } : lane));
}

const traceEvents = (watch: Watch, timeline: Timeline, lanes: Lane[]): TraceEvent[] =>
  lanes.flatMap((lane) => lane.calls.flatMap((call) => call.spans.map((span) => ({
    process: watch.runs[lane.run]?.name ?? `run ${lane.run + 1}`, lane: lane.name, name: timeline.codes[span.code] || "(without a name)", from_ns: span.from_ns, to_ns: span.to_ns,
    about: { kind: span.kind, launches: span.launches, kernel: timeline.kernel, numbers: call.numbers, replayed: call.replayed } }))));

function asTable(lanes: Lane[], timeline: Timeline): HTMLElement {
  const holder = h("details", { class: "asatable" }, h("summary", {}, `The ${count(timeline.calls.length)} calls as a table`));
  holder.addEventListener("toggle", () => holder.childElementCount === 1 && holder.append(
    table(["run", { text: "at", number: true }, { text: "until", number: true }, "", "code", { text: "launches", number: true }, "the call"],
      lanes.flatMap((lane) => lane.calls.flatMap((call) => call.spans.map((span, at) => [lane.name, duration(span.from_ns), duration(span.to_ns), kindNames[span.kind], h("code", {}, timeline.codes[span.code] ?? ""), count(span.launches), at === 0 ? h("span", { class: isSpoilt(call) ? "fail" : undefined }, about(call)) : ""]))), "Launches in the order of time")), { once: true });
  return holder;
}

function draw(lanes: Lane[], [from, to]: readonly [number, number], width: number): Element {
  const span = Math.max(to - from, 1);
  const unit = timeUnit(to);
  const x = (ns: number): number => ns / unit.ns;
  const left = 30, right = 12;
  const least = (span * 3) / Math.max(width - left - right, 1);  // a launch of a microsecond must still be seen
  let height = 0;
  for (const lane of lanes) {
    lane.top = height;
    height += head + lane.rows.length * rowHeight + gap;
  }
  const begin = from - span * 0.01, end = to + span * 0.015;
  const inside = (ns: number): number => Math.min(Math.max(ns, begin), end);
  const marks = lanes.flatMap((lane) => lane.calls.flatMap((call) => call.spans.map((each): Mark => {
    const row = lane.rows.indexOf(each.code);
    return { lane, call, span: each, y: lane.top + head + (row < 0 ? lane.rows.length - 1 : row) * rowHeight };
  }))).filter(({ span: each }) => each.to_ns >= begin && each.from_ns <= end);
  const calls = lanes.flatMap((lane) => lane.calls.filter((call) => isTuning(call) && endOf(call) >= begin && call.spans[0]!.from_ns <= end).map((call) => ({ lane, call })));
  const rows = lanes.flatMap((lane) => lane.rows.map((code, at): Row => ({ code, y: lane.top + head + at * rowHeight })));
  const colours: Record<Span["kind"], string> = { trial: "var(--trials)", winner: "var(--pass)", launch: "var(--burst)", counted: "var(--captured)" };
  const box = (mark: Mark): { x1: number; x2: number } => {
    const end_ns = Math.max(mark.span.to_ns, mark.span.from_ns + least);
    return { x1: x(inside(mark.span.from_ns)), x2: x(inside(end_ns)) };
  };
  const sum = (all: Call[], of: "spoilt" | "restored"): number => all.reduce((number, call) => number + call[of], 0);
  const note = (lane: Lane): string => {
    const spoilt = sum(lane.calls.filter(isSpoilt), "spoilt"), restored = sum(lane.calls.filter(isTuning), "restored");
    return [restored > 0 && `↺ ${count(restored)}`, spoilt > 0 && `▲ ${count(spoilt)}`].filter(Boolean).join("  ");
  };
  const title = ({ span: each, call, lane }: Mark): string => [`${lane.name}, ${kindNames[each.kind]}`, `${launches(each.launches)} from ${duration(each.from_ns)} to ${duration(each.to_ns)}`, call.numbers && `numbers: ${call.numbers}`, about(call)].filter(Boolean).join("\n");
  return plot({
    width, height: height + 30, marginLeft: left, marginRight: right, marginTop: 2, marginBottom: 28,
    x: { domain: [x(begin), x(end)], label: null }, y: { domain: [height, 0], axis: null },
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    marks: [
      axisX({ tickFormat: (value: number) => `${+value.toPrecision(6)} ${unit.name}`, ticks: Math.max(2, Math.floor(width / 120)), tickSize: 3, label: null }),
      begin <= 0 ? ruleX([0], { stroke: "var(--line)" }) : null,
      rect(rows, { x1: x(begin), x2: x(end), y1: "y", y2: (row: Row) => row.y + rowHeight - 2, fill: "var(--lane)" } as never),
      rect(calls, { x1: ({ call }) => x(inside(call.spans[0]!.from_ns)), x2: ({ call }) => x(inside(Math.max(endOf(call), call.spans[0]!.from_ns + least))), y1: ({ lane }) => lane.top + head - 2, y2: ({ lane }) => lane.top + head + lane.rows.length * rowHeight, fill: "none", stroke: ({ call }) => (isSpoilt(call) ? "var(--fail)" : "var(--line)"), rx: 2 }),
      rect(marks, { x1: (mark: Mark) => box(mark).x1, x2: (mark: Mark) => box(mark).x2, y1: "y", y2: (mark: Mark) => mark.y + rowHeight - 2, fill: (mark: Mark) => colours[mark.span.kind] } as never),
      text(rows, { x: x(begin), y: (row) => row.y + rowHeight / 2 - 1, text: (row) => (row.code < 0 ? "…" : letter(row.code)), textAnchor: "end", dx: -6, fontSize: 10, fill: "var(--muted)", fontFamily: "var(--mono)" }),
      text(lanes, { frameAnchor: "left", y: (lane: Lane) => lane.top + head / 2, text: "name", textAnchor: "start", dx: -left + 2, fill: "var(--ink)", fontWeight: 500 } as never),
      text(lanes.filter(note), { frameAnchor: "right", y: (lane: Lane) => lane.top + head / 2, text: note, textAnchor: "end", fill: (lane: Lane) => (lane.calls.some(isSpoilt) ? "var(--fail)" : "var(--muted)"), fontWeight: 600 } as never),
      tip(marks, pointer({ x: (mark: Mark) => (box(mark).x1 + box(mark).x2) / 2, y: (mark: Mark) => mark.y + rowHeight / 2, title, fill: "var(--surface)", stroke: "var(--line)" })),
    ],
  });
}
