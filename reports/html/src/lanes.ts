// What timelines have in common: zooming, searching, and saving as a trace that Perfetto opens.
import { h, type Child } from "./dom";
import { duration } from "./format";

export type Range = readonly [number, number];

/** One event of a trace; times are in ns. */
export interface TraceEvent {
  process: string;
  lane: string;
  name: string;
  from_ns: number;
  to_ns: number;
  about: Record<string, string | number>;
}

/** In the JSON format that Perfetto and chrome://tracing read; there, times are in us. */
export function traceOf(events: TraceEvent[]): string {
  const processes = [...new Set(events.map(({ process }) => process))];
  const lanes = [...new Set(events.map(({ process, lane }) => `${process}\n${lane}`))];
  const named = (kind: string, pid: number, tid: number, name: string) => ({ ph: "M", name: kind, pid, tid, args: { name } });
  return JSON.stringify({
    displayTimeUnit: "ns",
    traceEvents: [
      ...processes.map((name, at) => named("process_name", at + 1, 0, name)),
      ...lanes.map((key, at) => named("thread_name", processes.indexOf(key.split("\n")[0]!) + 1, at + 1, key.slice(key.indexOf("\n") + 1))),
      ...events.map(({ process, lane, name, from_ns, to_ns, about }) => ({ ph: "X", name, cat: "tunecheck", pid: processes.indexOf(process) + 1, tid: lanes.indexOf(`${process}\n${lane}`) + 1, ts: from_ns / 1000, dur: Math.max(0, to_ns - from_ns) / 1000, args: about })),
    ],
  });
}

export function saveButton(name: string, events: () => TraceEvent[]): HTMLElement {
  return h("button", { type: "button", class: "quiet", title: "JSON that ui.perfetto.dev opens", click: () => {
    const url = URL.createObjectURL(new Blob([traceOf(events())], { type: "application/json" }));
    h("a", { href: url, download: `${name.replace(/[^\w.-]+/g, "_").slice(0, 80)}.trace.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } }, "Save as a trace");
}

/** Buttons that change what part of a time line is seen; `show` draws it. */
export function zoomButtons(whole: Range, show: (range: Range) => void): HTMLElement {
  let range = whole;
  const said = h("span", { class: "muted small", role: "status" });
  const go = (from: number, to: number): void => {
    const length = Math.min(whole[1] - whole[0], Math.max(to - from, 1));
    const begin = Math.min(Math.max(from, whole[0]), whole[1] - length);
    range = [begin, begin + length];
    said.textContent = length < whole[1] - whole[0] ? `${duration(range[0] - whole[0])} to ${duration(range[1] - whole[0])} of ${duration(whole[1] - whole[0])}` : "";
    show(range);
  };
  const scale = (factor: number): void => {
    const [from, to] = range;
    const middle = (from + to) / 2, half = ((to - from) / 2) * factor;
    go(middle - half, middle + half);
  };
  const move = (share: number): void => go(range[0] + (range[1] - range[0]) * share, range[1] + (range[1] - range[0]) * share);
  const button = (text: string, label: string, click: () => void): Child => h("button", { type: "button", class: "quiet", "aria-label": label, title: label, click }, text);
  return h("span", { class: "zoom", role: "group", "aria-label": "Zoom" },
    button("+", "Zoom in", () => scale(0.5)), button("−", "Zoom out", () => scale(2)), button("‹", "Earlier", () => move(-0.5)), button("›", "Later", () => move(0.5)), button("Whole", "Whole time", () => go(whole[0], whole[1])), said);
}

/** A field; `show` is given what is looked for, in small letters. */
export function searchField(label: string, show: (text: string) => void): HTMLElement {
  const field = h("input", { type: "search", class: "small", placeholder: label, "aria-label": label, autocomplete: "off", spellcheck: "false" });
  field.addEventListener("input", () => show(field.value.trim().toLowerCase()));
  return field;
}
