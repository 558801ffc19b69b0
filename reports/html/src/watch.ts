// What `tunecheck watch` found: findings, runs, when tuned kernels were launched, and all kernels.
import { answers, briefOf, headline } from "./brief";
import { documentOf, index, plural, type Watch } from "./data";
import { breakable, h, nothing, table, type Child } from "./dom";
import { count, duration, moment } from "./format";
import { address, route } from "./route";
import { watchline } from "./watchline";

export type Watched = Watch & { file: string };
type Finding = Watch["findings"][number];
type Kernel = Watch["kernels"][number];
type Place = Finding["place"];

let unpacked: Watched[] | undefined;
export const watches = (): Watched[] => (unpacked ??= Array.from({ length: index.watches }, (_, number) => documentOf("watch", number)));

export function watchPage(): Child[] {
  if (index.watches === 0) return [h("h1", {}, "Watch"), nothing("This report has no watch; `tunecheck watch` makes one.")];
  return watches().map(page);
}

function page(watch: Watched, number: number): HTMLElement {
  const brief = briefOf("watch", number);
  return h("div", {},
    headline(brief.verdict, "Watch of a program", h("p", { class: "muted" }, watch.started && [moment(watch.started), ", "], plural(watch.runs.length, "run", "runs"), ", ", duration(watch.runs.reduce((sum, run) => sum + run.wall_ns, 0)))),
    answers(brief),
    watch.notes.length > 0 && h("section", {}, h("h2", {}, "Notes"), h("ul", { class: "names" }, watch.notes.map((note) => h("li", {}, note)))),
    h("section", {}, h("h2", {}, "Findings"), watch.findings.length === 0 ? nothing("Nothing was found.") : h("div", { class: "cards" }, watch.findings.map((finding) => card(watch, finding, number)))),
    h("section", {}, h("h2", {}, "Runs"), runs(watch)),
    timelines(watch, number),
    kernels(watch));
}

const excuse = (finding: Finding): string => (!finding.certain ? "unclear" : finding.allowed ? "allowed" : finding.new ? "" : "in the baseline");

export const placeText = ({ file, line }: Place): string => (line > 0 ? `${file}:${line}` : file);

function placeLine(name: string, place: Place): [string, Child] {
  return [name, place.file && [h("code", {}, breakable(placeText(place))), place.function && h("span", { class: "muted" }, ` in ${place.function}`)]];
}

function card(watch: Watched, finding: Finding, number: number): HTMLElement {
  const at = watch.timelines.findIndex(({ kernel, shapes }) => kernel === finding.kernel && shapes === finding.shapes);
  const why = excuse(finding);
  const lines = [placeLine("defined", { ...finding.definition, function: "" }), placeLine("launched", finding.place), ["shapes", finding.shapes], ["first in", finding.run]] as [string, Child][];
  return h("article", { class: "card finding" },
    h("h3", {}, h("span", { class: `badge ${why ? (finding.certain ? "unsupported" : "known") : "fail"}` }, finding.word), finding.kernel && h("span", {}, breakable(finding.kernel)), why && h("span", { class: "muted small" }, why)),
    h("p", {}, `${finding.text[0]?.toUpperCase() ?? ""}${finding.text.slice(1)}.`),
    finding.details.length > 0 && h("ul", { class: "names" }, finding.details.map((detail) => h("li", {}, detail))),
    h("dl", { class: "facts" }, lines.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    at >= 0 && h("p", { class: "small" }, h("a", { href: address(["watch"], { of: number || undefined, timeline: at, at: "timeline" }) }, "Its launches in the order of time")));
}

const runs = (watch: Watched): HTMLElement =>
  table(["run", "ended with", { text: "time", number: true }, { text: "compiles", number: true }, { text: "launches", number: true }, { text: "of these trials", number: true }, { text: "processes", number: true }],
    watch.runs.map((run) => [h("span", { class: "name" }, run.name), h("span", { class: run.succeeded ? undefined : "fail" }, run.end), duration(run.wall_ns), count(run.compiles), count(run.launches), count(run.trials), count(run.processes)]), "Runs of the program");

function timelines(watch: Watched, number: number): HTMLElement | false {
  const all = watch.timelines;
  if (all.length === 0) return h("section", {}, h("h2", {}, "When tuned kernels were launched"), nothing("No kernel was tuned, or the file is from a version of tunecheck that did not keep this."));
  const { query } = route();
  const isOurs = Number(query.get("of") ?? 0) === number;
  const asked = isOurs ? Number(query.get("timeline") ?? 0) : 0;
  const chosen = Number.isInteger(asked) && asked >= 0 && asked < all.length ? asked : 0;
  const view = h("div", {});
  const choose = (at: number): void => {
    const { definition, place } = all[at]!;
    const lines = [definition.file && `defined at ${placeText(definition)}`, place.file && `launched at ${placeText(place)}`].filter((line) => line);
    view.replaceChildren(...(lines.length > 0 ? [h("p", { class: "muted small" }, breakable(lines.join(", ")))] : []), watchline(watch, all[at]!));
  };
  choose(chosen);
  const id = `timeline-${number}`;
  const picker = h("select", { id, change: () => {
    history.replaceState(null, "", address(["watch"], { of: number || undefined, timeline: picker.value }));
    choose(Number(picker.value));
  } }, all.map(({ kernel, shapes }, at) => h("option", { value: at, selected: at === chosen }, [kernel, shapes].filter(Boolean).join(" · "))));
  const section = h("section", { id: `watch-${number}-timelines` }, h("h2", { tabindex: -1 }, "When tuned kernels were launched"),
    all.length > 1 ? h("p", {}, h("label", { for: id }, "Kernel "), picker) : h("p", { class: "muted mono" }, breakable([all[0]!.kernel, all[0]!.shapes].filter(Boolean).join(" · "))),
    view,
    watch.timelines_left_out > 0 && h("p", { class: "muted small" }, `${count(watch.timelines_left_out)} more tuned kernels have no timeline in this file.`));
  if (isOurs && query.get("at") === "timeline") setTimeout(() => {
    section.scrollIntoView();
    section.querySelector("h2")?.focus({ preventScroll: true });
  });
  return section;
}

const fewKernels = 100;

function kernels(watch: Watched): HTMLElement {
  const holder = h("div", {});
  const show = (all: boolean): void => {
    const part = all ? watch.kernels : [...watch.kernels].sort((one, other) => total(other.trials) - total(one.trials)).slice(0, fewKernels);
    holder.replaceChildren(
      table(["kernel", { text: "codes", number: true }, ...watch.runs.flatMap((run) => [{ text: `launches, ${run.name}`, number: true as const }, { text: "trials", number: true as const }, { text: "tuning", number: true as const }])],
        part.map((kernel) => row(watch, kernel)), "Kernels and their launches"),
      ...(part.length < watch.kernels.length ? [h("button", { type: "button", class: "quiet", click: () => show(true) }, `Show all ${count(watch.kernels.length)} kernels`)] : []));
  };
  show(false);
  return h("section", {}, h("h2", {}, "Kernels"), watch.kernels.length === 0 ? nothing("No launch of a kernel was seen.") : holder);
}

const total = (numbers: number[]): number => numbers.reduce((sum, each) => sum + each, 0);

const row = (watch: Watched, kernel: Kernel): Child[] =>
  [h("span", { class: "mono" }, breakable(kernel.name)), count(kernel.codes),
    ...watch.runs.flatMap((_, run) => [count(kernel.launches[run] ?? 0), count(kernel.trials[run] ?? 0), kernel.tuning_ns[run] ? duration(kernel.tuning_ns[run]!) : ""])];
