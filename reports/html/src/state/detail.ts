// One cell in full: what was asked, what held, what failed and why, what could not be asked.
import { type Child, copyable, h } from "../dom";
import { causeBody, causeLink } from "./cause";
import { type Cause, type Cell, columnName, type Failure, fullName, page, type Question, text, type Tuner } from "./data";
import { counted, lack, rank, stateBadge, states } from "./words";

const mostListed = 4;

export const cellLink = (tuner: Tuner, question: Question): string => `#${tuner.slug}/${question.check}`;

const command = (tuner: Tuner, scenario: string): string =>
  `tunecheck run ${scenario} --adapter ${tuner.adapter}${tuner.backend === "cpu" ? "" : ` --backend ${tuner.backend}`}`;

function often(failure: Failure): string {
  const times = text(failure.at_times);
  return times === "yes" ? " (at times)" : times ? ` (in ${times} runs)` : "";
}

function failureItem(failure: Failure): HTMLElement {
  const expected = text(failure.expected);
  return h("li", {}, h("code", {}, text(failure.scenario)), often(failure),
    h("dl", { class: "facts one" },
      expected && h("div", {}, h("dt", {}, "Expected"), h("dd", {}, expected)),
      h("div", {}, h("dt", {}, "Observed"), h("dd", {}, text(failure.observed) || "it failed before this could be asked"))));
}

function failureList(failures: Failure[]): Child {
  const shown = failures.slice(0, mostListed), more = failures.slice(mostListed);
  return [h("ul", { class: "failures" }, shown.map(failureItem)),
    more.length > 0 && h("details", {}, h("summary", {}, `${counted(more.length, "more scenario")}`), h("ul", { class: "failures" }, more.map(failureItem)))];
}

/** The causes of a failure, the one that breaks a promise first. */
const causesOf = (failure: Failure): Cause[] => failure.causes.map((place) => page.causes[place]!).sort((a, b) => rank[a.kind] - rank[b.kind]);

/** What nobody has looked into stands before all causes, and a mark without a cause after them. */
function rankOf(failures: Failure[]): number {
  const [cause] = causesOf(failures[0]!);
  return cause ? rank[cause.kind] : text(failures[0]!.reason) ? 9 : -1;
}

/** Failures by the causes that explain them, worst first; those that none explains by the words of their mark. */
function groups(failures: Failure[]): Failure[][] {
  const found = new Map<string, Failure[]>();
  for (const failure of failures) {
    const key = failure.causes.length ? failure.causes.join(" ") : `:${text(failure.reason)}`;
    found.set(key, [...(found.get(key) ?? []), failure]);
  }
  return [...found.values()].sort((a, b) => rankOf(a) - rankOf(b) || b.length - a.length);
}

function repeat(tuner: Tuner, failures: Failure[]): HTMLElement {
  return h("div", {}, h("p", { class: "small" }, "Ask it again:"), copyable(command(tuner, text(failures[0]!.scenario))));
}

function group(tuner: Tuner, failures: Failure[]): HTMLElement {
  const causes = causesOf(failures[0]!);
  const heading = h("p", { class: "small" }, h("strong", {}, counted(failures.length, "scenario")), " failed:");
  if (!causes.length) {
    const reason = text(failures[0]!.reason), link = text(failures[0]!.link);
    return h("section", { class: "group" },
      h("h4", {}, reason ? `Known: ${reason}` : "Not looked into yet"),
      link && /^https?:\/\//.test(link) && h("p", { class: "small" }, h("a", { href: link, rel: "noreferrer" }, link)),
      reason ? h("p", { class: "small muted" }, "Whose promise it is, and what is known upstream, is not listed.") : false,
      heading, failureList(failures), repeat(tuner, failures));
  }
  return h("section", { class: "group" }, causes.map((cause, at) => [
    h("h4", {}, at > 0 && "and ", h("a", { href: causeLink(cause) }, cause.title)),
    at === causes.length - 1 ? causeBody(cause, heading, failureList(failures), repeat(tuner, failures)) : causeBody(cause)]));
}

function summary(cell: Cell): string {
  const failed = cell.failed.filter((failure) => failure.reached).length, unreached = cell.failed.length - failed;
  if (cell.state === "not_asked") return cell.reason || states.not_asked.long;
  return [
    cell.asked ? `Held in ${cell.held} of ${counted(cell.asked, "scenario")} that could be asked.` : "No scenario could ask it.",
    unreached ? `${counted(unreached, "more scenario")} failed before it came to this.` : "",
    cell.lacking.length ? `${counted(cell.lacking.length, "scenario")} could not be asked.` : "",
  ].filter(Boolean).join(" ");
}

function lacking(cell: Cell): Child {
  if (!cell.lacking.length) return false;
  const reasons = new Map<number, number[]>();
  for (const [scenario, reason] of cell.lacking) reasons.set(reason, [...(reasons.get(reason) ?? []), scenario]);
  return h("details", { open: !cell.asked || undefined }, h("summary", {}, `What could not be asked, and why (${cell.lacking.length})`),
    h("ul", {}, [...reasons].map(([reason, scenarios]) => h("li", {}, `${lack(text(reason))}: `, names(scenarios)))));
}

const names = (places: number[]): Child[] => places.map((place, at) => [at > 0 && ", ", h("code", {}, text(place))]);

export function detail(question: Question, place: number, close: () => void): HTMLElement {
  const tuner = page.tuners[place]!, cell = question.cells[place]!;
  const title = h("h3", { tabindex: -1 }, question.question || question.says || question.check);
  const link = cellLink(tuner, question);
  return h("article", { class: "detail", "aria-label": `${fullName(tuner)}: ${question.check}` },
    h("div", { class: "detailhead" },
      h("div", {}, h("p", { class: "crumbs" }, `${fullName(tuner)}, ${columnName(place)} (${tuner.adapter} on ${tuner.device || tuner.backend}, ${tuner.dates})`), title),
      h("button", { type: "button", class: "quiet", "aria-label": "Close", click: close }, "✕")),
    h("p", {}, stateBadge(cell.state), " ", summary(cell)),
    h("p", { class: "small muted" }, "The check ", h("code", {}, question.check), `: ${question.says}.`),
    groups(cell.failed.filter((failure) => failure.reached)).map((failures) => group(tuner, failures)),
    !cell.failed.some((failure) => failure.reached) && cell.failed.length > 0 && group(tuner, cell.failed),
    lacking(cell),
    cell.held_in.length > 0 && h("details", {}, h("summary", {}, `Where it held (${cell.held_in.length})`), h("p", { class: "small" }, ...names(cell.held_in))),
    h("p", { class: "small" }, "Link to this answer: ", h("a", { href: link }, link)));
}
