// Planted bugs by checks: a check that nothing makes fail proves nothing.
import { badge } from "./badge";
import { answers, briefOf, headline } from "./brief";
import { documentOf, index, plural, type Audit, type Brief } from "./data";
import { breakable, facts, h, nothing, table, type Child } from "./dom";
import { duration, moment } from "./format";

export function auditPage(): Child[] {
  if (index.audits === 0) return [h("h1", {}, "Audit"), nothing("This report has no audit; `tunecheck audit` makes one.")];
  return Array.from({ length: index.audits }, (_, number) => page(documentOf("audit", number), briefOf("audit", number)));
}

function page(document: Audit, brief: Brief): HTMLElement {
  // An audit of some planted bugs does not list all checks.
  const audit = { ...document, checks: [...new Set([...document.checks, ...document.kills.flatMap(({ checks }) => checks)])] };
  const caught = new Map<string, string[]>();
  for (const { mutant, scenario, checks } of audit.kills)
    for (const check of checks) {
      const key = `${mutant} ${check}`;
      caught.get(key)?.push(scenario) ?? caught.set(key, [scenario]);
    }
  return h("div", {},
    headline(brief.verdict, "Audit of the judge", h("p", { class: "muted" }, `${plural(audit.mutants.length - audit.surviving_mutants.length - audit.elsewhere.length, "planted bug", "planted bugs")} of ${audit.mutants.length} caught; ${audit.checks.length - audit.unkilled_checks.length} of ${plural(audit.checks.length, "check", "checks")} shown to fail. `, moment(audit.started), ", ", duration(audit.wall_ns))),
    answers(brief),
    facts([["survived", audit.surviving_mutants.join(", ")], ["checks that nothing made fail", audit.unkilled_checks.join(", ")], ["claims that are false", audit.false_claims.join("; ")], ["only for other devices", audit.elsewhere.join(", ")]]),
    h("section", {}, h("h2", {}, "Planted bugs by checks"), audit.mutants.length === 0 ? nothing("No planted bug was run.") : matrix(audit, caught)),
    h("section", {}, h("h2", {}, "Each planted bug"), table(["planted bug", "what is wrong with it", "caught by"],
      audit.mutants.map(({ name, summary }) => [h("span", { class: "mono" }, breakable(name)), summary, caughtBy(audit, name)]), "Planted bugs")));
}

function caughtBy(audit: Audit, mutant: string): Child {
  const kills = audit.kills.filter((kill) => kill.mutant === mutant);
  if (kills.length === 0) return h("span", { class: "muted" }, audit.elsewhere.includes(mutant) ? "scenarios of another kind of device" : "nothing");
  return h("ul", { class: "names" }, kills.map(({ scenario, checks, verdict, message, expects }) => h("li", {}, h("span", { class: "mono" }, breakable(scenario)), " ", checks.length ? h("span", { class: "muted" }, checks.join(", ")) : [badge(verdict), " ", h("span", { class: "muted" }, message || (expects === verdict ? "as it must be" : "noticed nothing"))])));
}

// Rows are planted bugs; columns those checks that caught one, by number, named below the table.
function matrix(audit: Audit, caught: Map<string, string[]>): HTMLElement {
  const checks = [...audit.checks].sort();
  const where = h("p", { class: "small muted", role: "status" }, "A filled square is a check that caught the bug.");
  const cell = (mutant: string, check: string): HTMLElement => {
    const by = caught.get(`${mutant} ${check}`);
    return h("td", by ? { class: "caught", title: `${mutant}: ${check}\n${by.join("\n")}` } : {}, by && h("span", { class: "visually-hidden" }, plural(by.length, "scenario", "scenarios")));
  };
  const never = (check: string): boolean => audit.unkilled_checks.includes(check);
  return h("div", {}, where, h("div", { class: "scroll matrix", tabindex: 0, role: "region", "aria-label": "Planted bugs by checks" },
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "planted bug"), checks.map((name) => h("th", { scope: "col", class: never(name) ? "turned fail" : "turned" }, h("span", {}, name))))),
      h("tbody", {}, audit.mutants.map(({ name }) => h("tr", {}, h("th", { scope: "row", class: audit.surviving_mutants.includes(name) ? "fail" : undefined }, name), checks.map((check) => cell(name, check))))))));
}
