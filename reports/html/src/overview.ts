import { bar, mark } from "./badge";
import { scenarioAt } from "./block";
import { incomplete, index, plural, runOf, titleOf, verdictOf, worstFirst, type Row, type Run } from "./data";
import { copyable, facts, h, table, type Child } from "./dom";
import { duration, moment, percent } from "./format";
import { address } from "./route";
import { gateSummary } from "./gate";
import { historySummary } from "./history";
import { countsOf, rowElement, scenarioAddress } from "./row";
import { concludeWatch, watches, watchPage, watchSummary, type Conclusion } from "./watch";

export function conclusion(): Conclusion {
  const own = index.runs.length > 0 || index.watches === 0 ? concludeRuns() : undefined;
  const watched = worstWatch();
  // A run that held does not hide what a watch found.
  return own && (!watched || own.kind !== "pass" || watched.kind === "pass") ? own : watched!;
}

function worstWatch(): Conclusion | undefined {
  const all = watches().map(concludeWatch);
  return ["fail", "error", "pass"].flatMap((kind) => all.filter((one) => one.kind === kind))[0];
}

function concludeRuns(): Conclusion {
  const rows = index.scenarios;
  const counts = countsOf(rows);
  const bad = (counts.fail ?? 0) + (counts.error ?? 0);
  const cut = index.runs.map(incomplete).filter(Boolean);
  const held = `${(counts.pass ?? 0).toLocaleString("en")} of ${plural(rows.length, "scenario", "scenarios")} held`;
  const others = [
    counts.fail && `${counts.fail} failed`,
    counts.error && plural(counts.error, "could not be judged", "could not be judged"),
    counts.known && `${counts.known} failed as known`,
    counts.unsupported && `${counts.unsupported} unsupported`,
  ].filter(Boolean);
  const sentence = [held, ...others].join(", ") + ".";
  if (index.runs.length === 0) return { word: "No run", kind: "unsupported", sentence: "This report has no result of a run." };
  if (cut.length) return { word: "Incomplete", kind: "error", sentence: `${cut[0]![0]!.toUpperCase()}${cut[0]!.slice(1)}. ${rows.length ? sentence : ""}` };
  if (rows.length === 0) return { word: "Nothing ran", kind: "error", sentence: "No scenario ran, so there is nothing to trust." };
  if (counts.error) return { word: "Not to be trusted", kind: "error", sentence };
  if (bad) return { word: "Fail", kind: "fail", sentence };
  // A run says so where it saw what its scenarios do not show.
  if (index.runs.some((run) => run.exit_status === 4)) return { word: "Not to be trusted", kind: "error", sentence };
  return { word: "Pass", kind: "pass", sentence };
}

export function overview(): Child[] {
  // A watch alone is all that there is to see.
  if (index.runs.length === 0 && index.watches > 0) return [watchPage(), index.gates > 0 && gateSummary(), index.histories > 0 && historySummary()];
  const { word, kind, sentence } = conclusion();
  const bad = index.scenarios.map((row, place) => ({ row, place })).filter(({ row }) => ["fail", "error"].includes(verdictOf(row)));
  return [
    h("section", { class: `verdict ${kind}` },
      h("h1", {}, word), h("p", { class: "lead" }, sentence),
      index.runs.length > 0 && h("p", { class: "muted" }, index.runs.slice(0, 6).map((run, at) => [at > 0 && " · ", titleOf(run), ", ", moment(run.started), ", ", duration(run.wall_ns)]))),
    index.watches > 0 && watchSummary(),
    index.gates > 0 && gateSummary(),
    index.histories > 0 && historySummary(),
    bad.length > 0 && failures(bad),
    families(),
    index.runs.length > 0 && h("section", {}, h("h2", {}, index.runs.length > 1 ? "Runs" : "The run"), index.runs.map(runFacts)),
  ];
}

const mostCards = 4, mostRows = 16;

// By its first check that did not pass; the scenario's own page has the others.
function failures(bad: { row: Row; place: number }[]): HTMLElement {
  bad.sort((a, b) => worstFirst.indexOf(verdictOf(a.row)) - worstFirst.indexOf(verdictOf(b.row)));
  return h("section", {}, h("h2", {}, "What failed"),
    h("div", { class: "cards" }, bad.slice(0, mostCards).map(({ row, place }) => failure(row, place))),
    bad.length > mostCards && h("div", { class: "rows more", role: "list" }, bad.slice(mostCards, mostCards + mostRows).map(({ row }) => h("div", { role: "listitem" }, rowElement(row)))),
    bad.length > mostCards + mostRows && h("p", {}, h("a", { href: address(["scenarios"], { verdict: "bad" }) }, `All ${bad.length.toLocaleString("en")} that failed`)));
}

function failure(row: Row, place: number): HTMLElement {
  const scenario = scenarioAt(place);
  const failed = scenario.checks.filter((check) => ["fail", "error"].includes(check.verdict));
  const first = failed[0];
  return h("article", { class: "card" },
    h("h3", {}, mark(verdictOf(row)), h("a", { href: scenarioAddress(row) }, row[0]), index.runs.length > 1 && h("span", { class: "muted small" }, titleOf(runOf(row)))),
    h("p", { class: "because" }, scenario.because),
    first ? expectation(first.check, first.expected, first.observed) : scenario.message && h("p", {}, scenario.message),
    failed.length > 1 && h("p", { class: "muted small" }, `and ${plural(failed.length - 1, "more answer", "more answers")} that did not pass`),
    scenario.repro && copyable(scenario.repro));
}

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

