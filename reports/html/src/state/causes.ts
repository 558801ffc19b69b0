// All causes, by tuner: many failures are few causes.
import { type Child, h } from "../dom";
import { causeBody, causeLink, whereSeen } from "./cause";
import { type Cause, columnName, page } from "./data";
import { counted, kindBadge, rank } from "./words";

const scenarios = (cause: Cause): number => cause.columns.reduce((sum, column) => sum + column.scenarios.length, 0);
const isApart = (cause: Cause): boolean => !cause.columns.length;

function questionsOf(cause: Cause): Child {
  const questions = cause.checks.map((check) => page.questions.find((question) => question.check === check)).filter((question) => question !== undefined);
  return questions.length > 0 && h("div", {}, h("p", { class: "small" }, "It answers these questions with no:"),
    h("ul", { class: "small" }, questions.map((question) => h("li", {}, h("a", { href: `#question/${question.check}` }, question.question || question.check)))));
}

const scenariosOf = (cause: Cause): Child => cause.columns.map(({ tuner, scenarios }) =>
  h("details", {}, h("summary", {}, `${columnName(tuner)}: ${counted(scenarios.length, "scenario")} of ${page.tuners[tuner]!.adapter}`),
    h("p", { class: "small" }, scenarios.map((name, at) => [at > 0 && ", ", h("code", {}, name)]))));

function card(cause: Cause): HTMLElement {
  const details: HTMLDetailsElement = h("details", { class: "cause", id: causeLink(cause).slice(1) },
    h("summary", {}, kindBadge(cause.kind), h("span", { class: "title" }, cause.title), h("span", { class: "small muted" }, whereSeen(cause))));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1)
      details.append(causeBody(cause, questionsOf(cause), scenariosOf(cause)), h("p", { class: "small" }, "Link to this cause: ", h("a", { href: causeLink(cause) }, causeLink(cause))));
  });
  return details;
}

/** One block per tuner; `apart` are those that no scenario shows. */
function list(apart: boolean): HTMLElement {
  const causes = page.causes.filter((cause) => isApart(cause) === apart);
  const products = [...new Set(causes.map((cause) => cause.product))];
  return h("div", {}, products.map((product) => {
    const own = causes.filter((cause) => cause.product === product).sort((a, b) => rank[a.kind] - rank[b.kind] || scenarios(b) - scenarios(a));
    return h("section", { class: "of-product", "data-product": product }, h("h3", {}, product, h("span", { class: "muted" }, ` ${counted(own.length, "cause")}`)), own.map(card));
  }));
}

export const causeList = (): HTMLElement => list(false);
export const apartList = (): HTMLElement | false => page.causes.some(isApart) && list(true);

/** Opens a cause; false where there is none of that name. */
export function openCause(id: string): boolean {
  const element = document.getElementById(id);
  if (!(element instanceof HTMLDetailsElement)) return false;
  element.open = true;
  element.scrollIntoView({ block: "start" });
  element.querySelector("summary")!.focus({ preventScroll: true });
  return true;
}
