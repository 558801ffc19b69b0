// Why scenarios failed, gathered: a check and everything that fails with it.
import { mark } from "./badge";
import { scenarioAt } from "./block";
import { familyOf, index, plural, titleOf, type Cause, type Known, type Row } from "./data";
import { breakable, copyable, h, outside, type Child } from "./dom";
import { address } from "./route";
import { rowElement, scenarioAddress, sinceBadge } from "./row";

const few = 6, mostRows = 60;

const rowsOf = (places: number[]): Row[] => places.map((place) => index.scenarios[place]!);

/** Cards of the gravest causes; of more, one line each. */
export function causes(): HTMLElement | false {
  if (index.causes.length === 0) return false;
  const failures = index.causes.reduce((sum, cause) => sum + cause.own, 0);
  return h("section", { class: "causes" }, h("h2", {}, `${plural(index.causes.length, "cause", "causes")} of ${plural(failures, "failure", "failures")}`),
    h("div", { class: "cards" }, index.causes.slice(0, few).map((cause) => card(cause))),
    index.causes.length > few && h("ul", { class: "names" }, index.causes.slice(few).map((cause) => h("li", {}, h("a", { href: listOf(cause) }, cause.check || cause.meaning), h("span", { class: "muted" }, `, ${plural(cause.scenarios.length, "failure", "failures")}`)))));
}

const listOf = (cause: Cause): string => address(["scenarios"], { verdict: "bad", check: cause.check, run: index.runs.length > 1 ? cause.run : undefined });

function card(cause: Cause): HTMLElement {
  const rows = rowsOf(cause.scenarios);
  const first = rows[0]!;
  const { repro, because } = scenarioAt(cause.scenarios[0]!);
  const count = (since: string): number => rows.filter((row) => row[9] === since).length;
  return h("article", { class: "card cause" },
    h("h3", {}, mark(cause.verdict), h("span", { class: "mono" }, breakable(cause.check || "no check says why")), h("a", { class: "count", href: listOf(cause) }, plural(rows.length, "failure", "failures")),
      count("n") > 0 && [sinceBadge("n"), h("span", { class: "muted small" }, String(count("n")))], count("u") > 0 && [sinceBadge("u"), h("span", { class: "muted small" }, String(count("u")))], count("s") > 0 && [sinceBadge("s"), h("span", { class: "muted small" }, String(count("s")))],
      index.runs.length > 1 && h("span", { class: "muted small" }, titleOf(index.runs[cause.run]!))),
    h("p", {}, !cause.check ? cause.meaning : cause.meaning ? h("span", {}, "It asks: ", cause.meaning, ".") : "This version of tunecheck does not know the check."),
    cause.observed && h("dl", { class: "expectation" }, h("div", {}, h("dt", {}, "expected"), h("dd", {}, cause.expected)), h("div", {}, h("dt", {}, "observed"), h("dd", { class: "observed" }, cause.observed))),
    h("p", { class: "small" }, "Seen most clearly in ", h("a", { href: scenarioAddress(first) }, first[0]), `: ${because}.`),
    cause.symptoms.length > 0 && h("p", { class: "muted small" }, "With it fail: ", cause.symptoms.map(([check, count], at) => [at > 0 && ", ", h("span", { class: "mono" }, check), ` ${count}`]), "."),
    repro && copyable(repro),
    rows.length > 1 && others(rows, cause));
}

function others(rows: Row[], cause: Cause): HTMLElement {
  const families = [...new Set(rows.map(familyOf))];
  const shown = h("div", { class: "rows", role: "list" });
  return h("details", { toggle: () => shown.childElementCount === 0 && shown.append(...rows.slice(0, mostRows).map((row) => h("div", { role: "listitem" }, rowElement(row)))) },
    h("summary", {}, `All ${rows.length.toLocaleString("en")}, in ${families.slice(0, 4).join(", ")}${families.length > 4 ? ` and ${families.length - 4} more families` : ""}`),
    shown, rows.length > mostRows && h("p", {}, h("a", { href: listOf(cause) }, "All of them as a list")));
}

/** What marks say of known failures, each reason once. */
export function known(): HTMLElement | false {
  if (index.known.length === 0) return false;
  const count = index.known.reduce((sum, each) => sum + each.scenarios.length, 0);
  return h("section", {}, h("h2", {}, `${plural(count, "known failure", "known failures")}, ${plural(index.known.length, "reason", "reasons")}`),
    h("ul", { class: "known-causes" }, index.known.map((each) => h("li", {}, knownCause(each)))));
}

const knownCause = ({ run, reason, link, scenarios }: Known): Child => [
  h("span", { class: "badge known" }, scenarios.length), " ", reason, " ", link && outside(link),
  index.runs.length > 1 && h("span", { class: "muted small" }, " ", titleOf(index.runs[run]!)),
  h("details", {}, h("summary", { class: "small" }, plural(scenarios.length, "scenario", "scenarios")), h("ul", { class: "names" }, rowsOf(scenarios).slice(0, mostRows).map((row) => h("li", {}, h("a", { href: scenarioAddress(row) }, row[0])))))];

/** What changed since the base, beside what fails now. */
export function changes(): HTMLElement | false {
  const told = index.changes.filter(({ mended, others: rest, gone }) => mended.length + rest.length + gone.length > 0);
  if (told.length === 0) return false;
  const names = (title: string, places: number[]): Child => places.length > 0 && h("details", {}, h("summary", {}, `${title}: ${places.length}`), h("div", { class: "rows", role: "list" }, rowsOf(places).slice(0, mostRows).map((row) => h("div", { role: "listitem" }, rowElement(row)))));
  return h("section", {}, h("h2", {}, "Otherwise changed since the base"), told.map((change) => h("div", {},
    index.runs.length > 1 && h("h3", {}, titleOf(index.runs[change.run]!)),
    names("No longer fails", change.mended), names("Another verdict", change.others),
    change.gone.length > 0 && h("details", {}, h("summary", {}, `Only in the base: ${change.gone.length}`), h("p", { class: "small mono" }, change.gone.slice(0, mostRows).join(", "))))));
}
