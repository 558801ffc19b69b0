// All scenarios, to be searched and filtered. Every row is in the document, so that the browser's own
// search finds it; rows that are not in sight are neither laid out nor painted.
import { checksOf, familyOf, index, kernelOf, markOf, plural, runOf, titleOf, verdictOf, worstFirst, type Row, type Verdict } from "./data";
import { h, nothing, type Child } from "./dom";
import { address, route } from "./route";
import { countsOf, rowElement } from "./row";

interface Filter {
  words: string[];
  verdict: string;
  family: string;
  run: string;
  check: string;
  since: string;
  order: string;
}

function filterOf(query: URLSearchParams): Filter {
  const get = (name: string): string => query.get(name) ?? "";
  return { words: get("q").toLowerCase().split(/\s+/).filter(Boolean), verdict: get("verdict"), family: get("family"), run: get("run"), check: get("check"), since: get("since"), order: get("order") };
}

const isBad = (verdict: Verdict): boolean => verdict === "fail" || verdict === "error";

function shows(filter: Filter, row: Row, except = ""): boolean {
  const verdict = verdictOf(row);
  if (except !== "verdict" && filter.verdict && !(filter.verdict === "bad" ? isBad(verdict) : verdict === filter.verdict)) return false;
  if (filter.family && familyOf(row) !== filter.family) return false;
  if (filter.run && String(row[2]) !== filter.run) return false;
  if (filter.check && !checksOf(row).split(" ").includes(filter.check)) return false;
  if (filter.since && row[9] !== filter.since) return false;
  if (filter.words.length === 0) return true;
  const text = `${row[0]} ${kernelOf(row)} ${row[6]} ${checksOf(row)} ${markOf(row)} ${titleOf(runOf(row))}`.toLowerCase();
  return filter.words.every((word) => text.includes(word));
}

const orders: Record<string, (a: Row, b: Row) => number> = {
  "": (a, b) => worstFirst.indexOf(verdictOf(a)) - worstFirst.indexOf(verdictOf(b)) || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[2] - b[2]),
  name: (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[2] - b[2]),
  time: (a, b) => b[5] - a[5],
};

/** What the list shows for the present address, in its order: also the way of "next" and "previous". */
export function selected(): Row[] {
  const filter = filterOf(route().query);
  return index.scenarios.filter((row) => shows(filter, row)).sort(orders[filter.order] ?? orders[""]);
}

const perBlock = 50;

/** The link of a row that is `step` rows from the one with the focus; of the list's end nothing, and of no row the first. */
function rowFrom(step: number): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>("main .rows a.row")];
  return links[links.indexOf(document.activeElement as HTMLElement) + step];
}

/** `j` and `k` in the list: the focus goes to the next or the previous scenario. */
export function moveInList(step: number): void {
  const isOnRow = document.activeElement?.matches("main .rows a.row") ?? false;
  if (isOnRow || step > 0) rowFrom(step)?.focus();
}

export function list(): Child[] {
  if (index.scenarios.length === 0) return [h("h1", {}, "Scenarios"), nothing("No scenario was run.")];
  const query = route().query;
  const failing = [...new Set(index.checks.flatMap((set) => set.split(" ")))].filter(Boolean).sort();
  const search = h("input", { type: "search", id: "search", value: query.get("q") ?? "", placeholder: "name, kernel, check, reason, upstream issue", "aria-label": "Search scenarios", autocomplete: "off", spellcheck: "false" });
  const results = h("div", { class: "rows", role: "list" });
  const summary = h("p", { class: "muted small", role: "status" });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Verdict" });

  const change = (name: string, value: string): void => {
    const next = route().query;
    if (value) next.set(name, value);
    else next.delete(name);
    // Typing must not fill the history.
    history.replaceState(null, "", address(["scenarios"], Object.fromEntries(next)));
    update();
  };
  const select = (name: string, label: string, options: [string, string][]): HTMLElement => {
    const element = h("select", { "aria-label": label, change: () => change(name, element.value) }, options.map(([value, text]) => h("option", { value, selected: value === (query.get(name) ?? "") }, text)));
    return element;
  };

  const update = (): void => {
    const filter = filterOf(route().query);
    const rows = selected();
    const counts = countsOf(index.scenarios.filter((row) => shows(filter, row, "verdict")));
    const chip = (value: string, text: string, count: number): HTMLElement =>
      h("button", { type: "button", class: `chip ${value}`, "aria-pressed": filter.verdict === value ? "true" : "false", click: () => change("verdict", filter.verdict === value ? "" : value) }, text, h("span", { class: "count" }, count.toLocaleString("en")));
    const bad = (counts.fail ?? 0) + (counts.error ?? 0);
    chips.replaceChildren(
      chip("", "all", Object.values(counts).reduce((sum, value) => sum + value, 0)),
      ...(bad && counts.fail && counts.error ? [chip("bad", "fail or error", bad)] : []),
      ...worstFirst.filter((verdict) => counts[verdict] || filter.verdict === verdict).map((verdict) => chip(verdict, verdict, counts[verdict] ?? 0)));
    summary.textContent = rows.length ? `${plural(rows.length, "scenario", "scenarios")}` : "";
    const blocks: HTMLElement[] = [];
    for (let at = 0; at < rows.length; at += perBlock) {
      const part = rows.slice(at, at + perBlock);
      const block = h("div", { class: "block-of-rows", role: "presentation" }, part.map((row) => h("div", { role: "listitem" }, rowElement(row))));
      block.style.setProperty("--rows", String(part.length));
      blocks.push(block);
    }
    results.replaceChildren(...(blocks.length ? blocks : [h("div", { role: "listitem" }, nothing("No scenario matches."))]));
  };
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => change("q", search.value.trim()), 80);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      results.querySelector<HTMLElement>("a.row")?.focus();
    }
  });
  results.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" || event.key === "j" ? 1 : event.key === "ArrowUp" || event.key === "k" ? -1 : 0;
    if (!step) return;
    const next = rowFrom(step);
    event.preventDefault();
    event.stopPropagation();
    (next ?? search).focus();
  });
  update();
  return [
    h("h1", {}, "Scenarios"),
    h("div", { class: "filters" }, search,
      select("family", "Family", [["", "every family"], ...index.families.map((name): [string, string] => [name, name])]),
      index.runs.length > 1 && select("run", "Tuner", [["", "every tuner"], ...index.runs.map((run, at): [string, string] => [String(at), titleOf(run)])]),
      failing.length > 0 && select("check", "Check", [["", "every check"], ...failing.map((name): [string, string] => [name, name])]),
      index.changes.length > 0 && select("since", "Since the base", [["", "new and old"], ["n", "new failures"], ["u", "failures not asked there"], ["s", "still failing"], ["f", "fixed"], ["o", "another verdict"]]),
      select("order", "Order", [["", "worst first"], ["name", "by name"], ["time", "slowest first"]])),
    chips, summary, results,
  ];
}
