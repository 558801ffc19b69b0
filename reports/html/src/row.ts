// A scenario in a list.
import { mark } from "./badge";
import { index, kernelOf, runOf, titleOf, verdictOf, type Row, type Since, type Verdict } from "./data";
import { h } from "./dom";
import { duration } from "./format";
import { address } from "./route";

type Counts = Partial<Record<Verdict, number>>;

export function countsOf(rows: Row[]): Counts {
  const counts: Counts = {};
  for (const row of rows) counts[verdictOf(row)] = (counts[verdictOf(row)] ?? 0) + 1;
  return counts;
}

export const scenarioAddress = (row: Row): string => address(["scenario", row[0]], { run: index.runs.length > 1 ? row[2] : undefined });

const sinceWords: Record<Since, string> = { "": "", n: "new", u: "not asked before", s: "still", f: "fixed", o: "changed" };

/** What became of it since the base. */
export const sinceBadge = (since: Since): HTMLElement | false => since !== "" && h("span", { class: `since ${since === "u" ? "unasked" : sinceWords[since]}` }, sinceWords[since]);

export function rowElement(row: Row): HTMLElement {
  const verdict = verdictOf(row);
  return h("a", { class: "row", href: scenarioAddress(row) },
    mark(verdict), h("span", { class: "name" }, row[0], row[9] && [" ", sinceBadge(row[9])]),
    h("span", { class: "why" }, row[6]),
    h("span", { class: "muted kernel" }, kernelOf(row)),
    index.runs.length > 1 && h("span", { class: "muted tuner" }, titleOf(runOf(row))),
    h("span", { class: "number" }, duration(row[5])));
}
