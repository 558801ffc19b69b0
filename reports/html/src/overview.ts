// The front page: the verdict, its five answers, and what lies behind them.
import { bar } from "./badge";
import { answers, headline, ledger, tally } from "./brief";
import { causes, changes, known } from "./cause";
import { index, plural, titleOf, worstFirst, type Row, type Run } from "./data";
import { facts, h, table, type Child } from "./dom";
import { duration, moment, percent } from "./format";
import { address } from "./route";
import { countsOf } from "./row";

export function overview(): Child[] {
  const worst = index.briefs[index.worst]!;
  return [
    headline(index.verdict, "", tally(index.scenarios), meta()),
    answers(worst),
    index.briefs.length > 1 && ledger(),
    causes(),
    known(),
    changes(),
    families(),
    index.runs.length > 0 && h("section", {}, h("h2", {}, index.runs.length > 1 ? "Runs" : "The run"), index.runs.map(runFacts)),
  ];
}

// What was judged, and when; the commit where the run says it.
const meta = (): Child => index.runs.length > 0 && h("p", { class: "muted" }, index.runs.slice(0, 6).map((run, at) => [at > 0 && " · ", titleOf(run), ", ", moment(run.started), ", ", duration(run.wall_ns), run.environment.commit && [", commit ", h("code", {}, run.environment.commit.slice(0, 10))]]));

export const expectation = (check: string, expected: string, observed: string): HTMLElement =>
  h("dl", { class: "expectation" }, h("div", { class: "which" }, h("dt", {}, "check"), h("dd", {}, h("code", {}, check))),
    h("div", {}, h("dt", {}, "expected"), h("dd", {}, expected)), h("div", {}, h("dt", {}, "observed"), h("dd", { class: "observed" }, observed)));

// Families by tuner.
function families(): HTMLElement | false {
  if (index.scenarios.length === 0) return false;
  const cells = new Map<string, Row[]>();
  for (const row of index.scenarios) {
    const key = `${row[1]} ${row[2]}`;
    cells.get(key)?.push(row) ?? cells.set(key, [row]);
  }
  const cell = (family: number, run: number): Child => {
    const rows = cells.get(`${family} ${run}`);
    if (!rows) return h("span", { class: "muted" }, "not run");
    const counts = countsOf(rows);
    const words = worstFirst.filter((verdict) => counts[verdict]).map((verdict) => `${counts[verdict]} ${verdict}`);
    return h("a", { class: "cell", href: address(["scenarios"], { family: index.families[family], run: index.runs.length > 1 ? run : undefined }) },
      bar(counts), h("span", { class: "words" }, words.map((word, at) => [at > 0 && ", ", h("span", { class: word.split(" ")[1]! }, word)])));
  };
  const time = (family: number): number => index.scenarios.reduce((sum, row) => (row[1] === family ? sum + row[5] : sum), 0);
  return h("section", {}, h("h2", {}, "Families"),
    table(["family", ...index.runs.map(titleOf), { text: "time", number: true }],
      index.families.map((name, family) => [h("span", { class: "name" }, name), ...index.runs.map((_, run) => cell(family, run)), duration(time(family))]), "Verdicts by family and tuner"));
}

export const stageNames = ["prepare", "adapter", "reference", "evidence", "check"] as const;

function runFacts(run: Run): HTMLElement {
  const total = run.stages.total_ns;
  return h("details", { class: "run", open: index.runs.length === 1 },
    h("summary", {}, titleOf(run)),
    facts([
      ["adapter", run.adapter], ["tuner", run.tuner], ["backend", run.backend], ["device", run.device], ["began", moment(run.started)],
      ["took", `${duration(run.wall_ns)}, ${plural(run.jobs, "scenario", "scenarios")} at once`], ["seed", String(run.seed)], ["tunecheck", run.tunecheck_version],
      ["exit status", String(run.exit_status)], ["file", h("code", {}, run.file)],
      ...Object.entries(run.environment).filter(([name]) => name !== "device").map(([name, value]): [string, Child] => [name, value]),
    ]),
    total > 0 && h("p", { class: "small muted" }, `Time of all stages ${duration(total)}: `, stageNames.map((name, at) => `${at > 0 ? ", " : ""}${name} ${percent(run.stages[`${name}_ns`] / total)}`).join(""), `. The judge's own share is ${percent(run.judge_share)}.`),
    leftOut(run),
    run.pending.length > 0 && h("details", {}, h("summary", {}, `Not run: ${plural(run.pending.length + run.pending_left_out, "scenario", "scenarios")}`),
      h("ul", { class: "names" }, run.pending.map((name) => h("li", {}, name)), run.pending_left_out > 0 && h("li", {}, `and ${run.pending_left_out.toLocaleString("en")} more`))));
}

function leftOut(run: Run): HTMLElement | false {
  if (run.left_out.length === 0) return false;
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of run.left_out) reasons.get(reason)?.push(name) ?? reasons.set(reason, [name]);
  return h("details", {}, h("summary", {}, `Left out on ${run.backend}: ${plural(run.left_out.length, "scenario", "scenarios")}`),
    h("ul", { class: "names" }, [...reasons].map(([reason, names]) => h("li", {}, h("span", {}, reason), h("span", { class: "muted small block" }, names.join(", "))))));
}

