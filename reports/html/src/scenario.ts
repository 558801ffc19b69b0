import { badge, mark } from "./badge";
import { excerptsAt, scenarioAt } from "./block";
import { checksOf, index, kernelOf, plural, runOf, titleOf, verdictOf, type Call, type Check, type Process, type Row, type Scenario } from "./data";
import { beside, breakable, copyable, facts, h, nothing, outside, table, type Child } from "./dom";
import { bytes, count, duration } from "./format";
import { expectation, stageNames } from "./overview";
import { scenarioAddress, sinceBadge } from "./row";
import { address, route } from "./route";
import { strips } from "./strips";
import { timeline } from "./timeline";

const worse = ["error", "fail", "known", "unsupported"];

export function findScenario(): { row: Row; place: number } | undefined {
  const { parts, query } = route();
  const run = query.get("run");
  const place = index.scenarios.findIndex((row) => row[0] === parts[1] && (run === null || String(row[2]) === run));
  return place < 0 ? undefined : { row: index.scenarios[place]!, place };
}

export function scenarioPage(): Child[] {
  const found = findScenario();
  if (!found) return [h("h1", {}, "Scenario"), nothing(`This report has no scenario "${route().parts[1] ?? ""}".`)];
  const { row, place } = found;
  const scenario = scenarioAt(place);
  const causesFirst = checksOf(row).split(" ");
  const bad = scenario.checks.filter(isBad).sort((a, b) => worse.indexOf(a.verdict) - worse.indexOf(b.verdict) || causesFirst.indexOf(a.check) - causesFirst.indexOf(b.check));
  const elsewhere = index.scenarios.filter((other) => other[0] === row[0] && other !== row);
  return [
    h("header", { class: "head" },
      h("p", { class: "crumbs" }, h("a", { href: address(["scenarios"], { family: index.families[row[1]] }) }, index.families[row[1]]!), " /"),
      h("h1", { class: "mono" }, breakable(row[0])),
      h("p", {}, badge(verdictOf(row)), " ", sinceBadge(row[9]), " ", h("span", { class: "muted" }, titleOf(runOf(row)), ", ", duration(row[5]))),
      h("p", { class: "because" }, scenario.because)),
    scenario.message && h("p", { class: "message" }, scenario.message, scenario.lacks && !scenario.message.includes(scenario.lacks) && ` (${scenario.lacks})`),
    scenario.known && known(scenario.known),
    bad.length > 0 && h("section", {}, h("h2", {}, plural(bad.length, "answer that is not a pass", "answers that are not a pass")), h("div", { class: "cards" }, bad.slice(0, 40).map((check) => trouble(check))), bad.length > 40 && h("p", { class: "muted" }, `and ${bad.length - 40} more; the table below has them all.`)),
    scenario.repro && h("section", {}, h("h2", {}, "How to repeat it"), copyable(scenario.repro)),
    excerpts(place),
    h("section", {}, h("h2", {}, "What happened"), timeline(scenario, place)),
    steps(scenario, kernelOf(row)),
    h("section", {}, h("h2", {}, "About it"), facts([
      ["kernel", kernelOf(row) && h("a", { href: address(["kernel", kernelOf(row)]) }, kernelOf(row))],
      ["file", h("code", {}, `${scenario.file}:${scenario.line}`)],
      ["workspace", scenario.workspace && beside(scenario.workspace)],
      ["not answered", scenario.unanswered.length > 0 && scenario.unanswered.join(", ")],
      ["time", stageNames.map((name) => `${name} ${duration(scenario.stages[`${name}_ns`])}`).join(", ")],
      ["other tuners", elsewhere.length > 0 && elsewhere.map((other, at) => [at > 0 && ", ", h("a", { href: scenarioAddress(other) }, titleOf(runOf(other))), " ", verdictOf(other)])],
    ].filter(([, value]) => value) as [string, Child][])),
  ];
}

function excerpts(place: number): HTMLElement | false {
  const all = excerptsAt(place);
  return all.length > 0 && h("section", {}, h("h2", {}, "Ends of logs"), all.map(([name, lines]) => h("details", { open: all.length === 1 }, h("summary", {}, h("span", { class: "mono" }, name)), h("pre", { class: "log", tabindex: 0 }, lines.join("\n")))));
}

const known = (mark: NonNullable<Scenario["known"]>): HTMLElement =>
  h("p", { class: "message" }, "Known to fail until ", mark.until, ": ", mark.reason, " ", outside(mark.link), h("span", { class: "muted small block" }, `${mark.file}:${mark.line}`));

const placeOf = (check: Check): string => `${check.process}${check.call ? `, call ${check.call}` : ""}${check.line ? `, line ${check.line}` : ""}`;

const trouble = (check: Check): HTMLElement =>
  h("article", { class: "card" }, h("p", { class: "where" }, mark(check.verdict), h("span", { class: "muted small" }, placeOf(check))),
    expectation(check.check, check.expected, check.observed),
    check.evidence.length > 0 && h("p", { class: "small muted evidence" }, "evidence ", check.evidence.map((file, at) => [at > 0 && ", ", beside(file)])));

// A process with its calls, each with what was asked of it.
function steps(scenario: Scenario, kernel: string): HTMLElement {
  const byStep = new Map<string, Check[]>();
  for (const check of scenario.checks) {
    const key = `${check.process} ${check.call}`;
    byStep.get(key)?.push(check) ?? byStep.set(key, [check]);
  }
  const names = new Set([...scenario.processes.map((process) => process.name), ...scenario.checks.map((check) => check.process)]);
  const of = (name: string): Process | undefined => scenario.processes.find((process) => process.name === name);
  return h("section", {}, h("h2", {}, "Steps"), names.size === 0 && nothing("No process was started."), [...names].map((name) => processOf(name, of(name), byStep, kernel)));
}

function processOf(name: string, process: Process | undefined, byStep: Map<string, Check[]>, kernel: string): HTMLElement {
  const numbers = new Set([0, ...(process?.calls ?? []).map((call) => call.number)]);
  for (const key of byStep.keys()) if (key.startsWith(`${name} `)) numbers.add(Number(key.slice(name.length + 1)));
  return h("article", { class: "process" }, h("h3", {}, h("span", { class: "mono" }, name), " ", process && h("span", { class: "muted small" }, process.end)),
    process && h("p", { class: "small muted" }, `${duration(process.wall_ns)}, ${duration(process.cpu_ns)} of a CPU, ${bytes(process.peak_memory_kib)}, ${plural(process.compiles, "compile", "compiles")}${process.compiles_from_store ? ` (${count(process.compiles_from_store)} from the spy's store)` : ""}, ${plural(process.launches, "launch", "launches")}; log `, beside(process.log)),
    [...numbers].sort((a, b) => a - b).map((number) => step(number, process?.calls.find((call) => call.number === number), byStep.get(`${name} ${number}`) ?? [], kernel)),
    process && process.calls_left_out > 0 && h("p", { class: "muted small" }, `${count(process.calls_left_out)} more calls are not in this report.`));
}

/** Neither a pass, nor what the adapter cannot be asked. */
function isBad(check: Check): boolean {
  return !["pass", "unsupported"].includes(check.verdict);
}

function step(number: number, call: Call | undefined, checks: Check[], kernel: string): HTMLElement | false {
  if (!call && checks.length === 0) return false;
  const bad = checks.filter(isBad).length;
  const asked = checks.filter((check) => check.verdict !== "unsupported").length;
  const notAsked = asked < checks.length ? `, ${checks.length - asked} not asked` : "";
  return h("details", { class: "step", open: bad > 0 },
    h("summary", {}, h("span", { class: "steptitle" }, number ? `Call ${number}` : "The process itself"),
      call && h("span", { class: "muted" }, [call.outcome, call.cache, sizesOf(call), call.winner && `winner ${call.winner}`, duration(call.wall_ns)].filter(Boolean).join(", ")),
      h("span", { class: bad ? "fail" : "muted" }, (bad ? `${bad} of ${plural(asked, "answer", "answers")} not a pass` : plural(asked, "pass", "passes")) + notAsked)),
    call && callFacts(call),
    checks.length > 0 && table(["", "check", "expected", "observed"], checks.map((check) => [mark(check.verdict), h("code", {}, check.check), check.expected, check.observed]), `Checks of ${number ? `call ${number}` : "the process"}`),
    call && call.configs.length > 0 && [h("h4", {}, "Configs"), strips(call.configs.map((tried) => ({ ...tried, own_ns: tried.own_median_ns, dots_ns: tried.samples_ns, failure: tried.failure || tried.own_failure, times_won: 1, note: "" })), "launches that observers timed, else the median that the tuner reports"),
      call.configs_left_out > 0 && h("p", { class: "muted small" }, `${count(call.configs_left_out)} more configs are not in this report.`),
      kernel && h("p", { class: "small" }, h("a", { href: address(["kernel", kernel]) }, `All tunings of ${kernel}`))]);
}

const sizesOf = (call: Call): string => Object.entries(call.sizes).map(([name, size]) => `${name}=${size}`).join(", ");

const callFacts = (call: Call): HTMLElement => facts([
  ["says", call.message], ["axes that missed", call.missed_axes.join(", ")], ["arch", call.arch],
  ["seen", `${plural(call.compiles, "compile", "compiles")}, ${plural(call.launches, "launch", "launches")}, ${count(call.trial_launches)} of them trials`],
]);
