// What is known of one cause, wherever it is shown.
import { type Child, h } from "../dom";
import { type Cause, columnName, fullName, page } from "./data";
import { attachment } from "./finding";
import { counted, kindBadge } from "./words";

export const causeLink = (cause: Cause): string => `#cause/${encodeURIComponent(cause.product)}/${cause.name}`;

const issueName = (link: string): string => link.replace(/^https:\/\/(github\.com\/)?/, "").replace(/\/(issues|pull)\//, "#");

function upstream(cause: Cause): Child {
  if (!cause.looked_at) return "not known: nobody has looked";
  if (!cause.upstream.length) return `nothing was found (looked on ${cause.looked_at})`;
  return h("ul", { class: "plain" }, cause.upstream.map((issue) =>
    h("li", {}, h("a", { href: issue.link, rel: "noreferrer" }, issueName(issue.link)), " ",
      h("span", { class: `sign ${issue.state === "open" ? "never_said" : issue.state ? "held" : "not_testable"}` }, issue.state || "state not known"),
      issue.state && ` as of ${cause.looked_at}`, issue.says && `: ${issue.says}`)));
}

function versions(cause: Cause): { since: string; until: string } {
  const seen = [...new Set(cause.columns.map(({ tuner }) => fullName(page.tuners[tuner]!)))].join(", ");
  return {
    since: cause.since || `not known${seen && `; seen in ${seen}`}`,
    until: cause.fixed_in ? `fixed in ${cause.fixed_in}` : "no version without it is known",
  };
}

export const fact = (name: string, value: Child): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, value));

/** Its promise, upstream, versions, finding and scripts; `between` stands before the evidence. */
export function causeBody(cause: Cause, ...between: Child[]): HTMLElement {
  const { since, until } = versions(cause);
  return h("div", { class: "causebody" },
    h("dl", { class: "facts one" },
      fact("Whose promise", [kindBadge(cause.kind), cause.promise && h("span", { class: "block" }, cause.promise)]),
      fact("Upstream", upstream(cause)),
      fact("Since", since),
      fact("Until", until)),
    ...between,
    cause.finding ? attachment(cause.finding, "Finding") : h("p", { class: "small muted" }, "No page has been written about it."),
    cause.scripts.length ? cause.scripts.map((script) => attachment(script, "Reproduction without tunecheck")) : h("p", { class: "small muted" }, "There is no reproduction without tunecheck yet."));
}

/** "H100 12, H200 9 scenarios". */
export function whereSeen(cause: Cause): Child {
  if (!cause.columns.length) return cause.fixed_in ? `fixed in ${cause.fixed_in}` : "shown by a script, asked by no scenario";
  return cause.columns.map(({ tuner, scenarios }, at) => [at ? ", " : "", `${columnName(tuner)}: ${counted(scenarios.length, "scenario")}`]);
}
