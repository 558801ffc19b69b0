// The reports that the browser opens: made by the program from results of real runs, and from those
// with one thing changed.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = process.env.TUNECHECK;
const out = process.env.TUNECHECK_HTML_OUT;
const data = new URL("data/", import.meta.url).pathname;

/** Runs scenarios; one that fails ends with status 1, which is what some are for. */
async function result(name, ...options) {
  const folder = join(out, "runs", name);
  mkdirSync(folder, { recursive: true });
  await run(program, ["run", ...options, "--quick", "--out", folder], { maxBuffer: 1 << 26 }).catch((error) => {
    if (error.code !== 1) throw error;
  });
  return join(folder, "result.json");
}

function changed(name, file, change) {
  const json = JSON.parse(readFileSync(file, "utf8"));
  change(json);
  const path = join(out, `${name}.json`);
  writeFileSync(path, JSON.stringify(json));
  return path;
}

/** An audit of few planted bugs, by one scenario each. */
async function audit() {
  const folder = join(out, "runs", "audit");
  mkdirSync(folder, { recursive: true });
  await run(program, ["audit", "--quick", "--mutant", "no_restore", "--mutant", "key_without_s*", "--out", folder], { maxBuffer: 1 << 26 });
  return join(folder, "audit.json");
}

/** A history of 45 runs: one benchmark becomes slower, one faster, one comes; then the machine is another. */
async function history() {
  const folder = join(out, "history");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = Array.from({ length: 45 }, (_, number) => {
    const scatter = (at) => 1 + ((number * 7919 + at * 31) % 17) / 1700;
    const machine = number < 34 ? 1 : 0.8;
    const benchmarks = [
      { name: "sort/64", real_time: (number < 20 ? 1500 : 1650) * machine * scatter(1) },
      { name: "copy", real_time: 20 * machine * scatter(2) },
      { name: "hash", real_time: (number < 12 ? 91000 : 80000) * machine * scatter(3) },
      ...(number < 30 ? [] : [{ name: hostile, real_time: 5 * scatter(4) }]),
    ].map((benchmark) => ({ ...benchmark, time_unit: "ns" }));
    const date = new Date(Date.UTC(2024, 4, 1 + number)).toISOString().replace(".000Z", "+00:00");
    const path = join(folder, `run-${String(number).padStart(2, "0")}.json`);
    writeFileSync(path, JSON.stringify({ context: { date, executable: "./bench", num_cpus: number < 34 ? 2 : 4, revision: `${number}abcdef0123`.repeat(2) }, benchmarks }));
    return path;
  });
  const database = ["--db", join(folder, "history.sqlite")];
  await run(program, ["history", "add", ...files, ...database]);
  const { stdout } = await run(program, ["history", "changes", "--format", "json", ...database], { maxBuffer: 1 << 26 });
  const path = join(out, "history.json");
  writeFileSync(path, stdout);
  return path;
}

/** Verdicts of two tuners: A fails from the beginning, B began to. */
async function verdicts(good, bad) {
  const database = ["--db", join(out, "verdicts", "history.sqlite")];
  rmSync(join(out, "verdicts"), { recursive: true, force: true });
  mkdirSync(join(out, "verdicts"), { recursive: true });
  const of = (from, adapter, day) => changed(`verdicts-${adapter}-${day}`, from, (json) => {
    Object.assign(json, { adapter, tuner: `${adapter} 1`, started: `2024-05-0${day}T00:00:00Z` });
  });
  await run(program, ["history", "add", of(bad, "A", 1), of(bad, "A", 2), of(good, "B", 3), of(bad, "B", 4), ...database]);
  const { stdout } = await run(program, ["history", "changes", "--format", "json", ...database], { maxBuffer: 1 << 26 });
  const path = join(out, "verdicts.json");
  writeFileSync(path, stdout);
  return path;
}

/** A result as it may have been before: every second failure is none, and one scenario failed that does not now. */
export const basesOf = (name, file) => changed(`${name}-base`, file, (json) => {
  let seen = 0;
  for (const scenario of json.scenarios) if (scenario.verdict === "fail" && seen++ % 2 === 0) Object.assign(scenario, { verdict: "pass", checks: scenario.checks.filter(({ verdict }) => verdict === "pass") });
  // The last one held there as it does here.
  const held = json.scenarios.at(-1);
  if (held.verdict === "pass") held.verdict = "fail";
  json.started = "2024-05-01T12:00:00Z";
  json.environment.commit = "0123456789abcdef0123456789abcdef01234567";
});

export async function page(name, files, options = []) {
  const path = join(out, `${name}.html`);
  const begun = performance.now();
  await run(program, ["report", "html", ...files, ...options, "--out", path]);
  return { path, seconds: (performance.now() - begun) / 1000, source: files[0] };
}

/** The page State of autotuners of the results that are stored. */
export async function state() {
  const root = new URL("../../", import.meta.url).pathname, stored = join(root, "docs/conformance");
  const path = join(out, "state.html");
  mkdirSync(out, { recursive: true });
  await run(program, ["matrix", ...readdirSync(stored).sort().map((name) => join(stored, name)), "--format", "html", "--findings", join(root, "docs/findings"), "--out", path]);
  return { path };
}

export const hostile = `</script><script>window.hurt = 1</script><img src=x onerror="window.hurt = 1">\u2028\u202e"'&lt;`;

export async function makeAll() {
  mkdirSync(out, { recursive: true });
  const [good, bad, changes, mutants] = await Promise.all([
    result("good", "reload.winner_survives_restart", "reload.no_trial_after_restart", "restore.winner_for_the_right_reason"),
    result("bad", "restore.winner_*", "restore.first_result_is_right", "restore.out_of_place_control", "restore.reset_on_hits", "--adapter", "mutant:no_restore"),
    history(),
    audit(),
  ]);
  const empty = changed("empty", good, (json) => Object.assign(json, { scenarios: [], exit_status: 4 }));
  const incomplete = changed("incomplete", good, (json) => {
    json.pending = json.scenarios.splice(1).map(({ name }) => name);
    Object.assign(json, { complete: false, exit_status: 4 });
  });
  const nasty = changed("nasty", bad, (json) => {
    for (const scenario of json.scenarios) {
      scenario.because = hostile;
      scenario.kernel = hostile;
      scenario.message = "x".repeat(1 << 16) + hostile;
      for (const check of scenario.checks) check.observed = hostile.repeat(40);
    }
    json.scenarios[0].name = hostile;
    json.tuner = hostile;
  });
  const many = changed("many", bad, (json) => {
    const some = json.scenarios;
    json.scenarios = Array.from({ length: 10000 }, (_, number) => ({ ...large(some[number % some.length]), name: `${some[number % some.length].name}_${number}` }));
  });
  // As if 30 of 46 scenarios had failed, 27 of them for one cause.
  const thirty = changed("thirty", bad, (json) => {
    const failing = json.scenarios.filter(({ verdict }) => verdict === "fail"), holding = json.scenarios.filter(({ verdict }) => verdict === "pass");
    const named = (scenario, number) => ({ ...scenario, name: `${scenario.name}_${number}` });
    const harmed = (scenario) => ({ ...scenario, checks: [{ ...scenario.checks.find(({ verdict }) => verdict === "fail"), check: "caller.unharmed", expected: "the call fails and leaves the caller's arguments unchanged", observed: "the call failed, and \"x\" was changed: byte 0" }] });
    json.scenarios = [...Array.from({ length: 27 }, (_, number) => named(failing[number % failing.length], number)), ...Array.from({ length: 3 }, (_, number) => named(harmed(failing[0]), `harmed_${number}`)), ...Array.from({ length: 16 }, (_, number) => named(holding[number % holding.length], number))];
  });
  const held = changed("held", bad, (json) => {
    for (const scenario of json.scenarios) Object.assign(scenario, { verdict: "pass", checks: scenario.checks.filter(({ verdict }) => verdict === "pass") });
    json.exit_status = 0;
  });
  const over_time = await verdicts(held, bad);
  const long_words = changed("long-words", bad, (json) => {
    const scenario = json.scenarios.find(({ verdict }) => verdict === "fail");
    Object.assign(scenario, { name: "n".repeat(190), because: `see ${"owner".repeat(20)}@${"deadbeef".repeat(20)}`, message: "m".repeat(300) });
    for (const check of scenario.checks) check.observed = "o".repeat(300);
  });
  const invalid = changed("invalid", join(data, "session.json"), (json) => Object.assign(json, { answer: "invalid", reason: "the canary that is the same on both sides was called slower", exit_status: 4 }));
  const known = changed("known", bad, (json) => {
    for (const scenario of json.scenarios) if (scenario.verdict === "fail") Object.assign(scenario, { verdict: "known", known: { checks: [], reason: "arguments are not put back between trials", link: "https://github.com/KernelTuner/kernel_tuner/issues/1", until: "2027-03-31", file: "known.info", line: 4 } });
    Object.assign(json.scenarios.find(({ verdict }) => verdict === "pass"), { verdict: "unsupported", message: "the adapter has no capability threads", lacks: "capability threads", checks: [] });
    json.exit_status = 0;
  });
  const survivors = changed("audit-bad", mutants, (json) => {
    json.kills = json.kills.filter(({ mutant }) => mutant !== "no_restore");
    Object.assign(json, { exit_status: 1, surviving_mutants: ["no_restore"] });
  });
  const watched = join(data, "watch.json");
  const clean = changed("watch-clean", watched, (json) => Object.assign(json, { findings: [], notes: [] }));
  const ranks = changed("watch-ranks", watched, (json) => {
    // 8 ranks with two streams each, and 40 codes, of which the ranks choose different ones.
    const [timeline] = json.timelines;
    timeline.codes = Array.from({ length: 40 }, (_, code) => `BLOCK_M=${64 << code % 3},BLOCK_N=${32 << code % 4},num_warps=${1 << code % 5},stages=${code}`);
    const spans = (rank) => [...timeline.codes.map((_, code) => ({ kind: "trial", code, from_ns: 4e9 + code * 2e8 + rank * 1e7, to_ns: 4e9 + code * 2e8 + rank * 1e7 + 5e7, launches: 100 })),
      { kind: "winner", code: 3 + rank % 2, from_ns: 13e9, to_ns: 13e9 + 1e6, launches: 2 }];
    const one = { repeated: 1, numbers: "", replayed: "same", measured: 0, spoilt: 0, restored: 0 };
    timeline.calls = json.runs.flatMap((_, run) => Array.from({ length: 8 }, (_, rank) => rank).flatMap((rank) => [0, 1].flatMap((stream) => [
      ...(run === 0 && stream === 0 ? [{ ...one, run, process: 100 + rank, rank: String(rank), stream, replayed: "same", restored: 4000, spans: spans(rank) }] : []),
      { ...one, run, process: 100 + rank, rank: String(rank), stream, repeated: 600, spans: [{ kind: run === 0 ? "launch" : "counted", code: 3 + rank % 2, from_ns: 14e9 + stream * 1e9, to_ns: 600e9, launches: 90000 }] }])));
    timeline.spans_left_out = 12;
    json.timelines = [timeline, { ...timeline, kernel: "second", calls: timeline.calls.slice(0, 1), spans_left_out: 0 }];
    json.timelines_left_out = 3;
    json.kernels = Array.from({ length: 300 }, (_, number) => ({ ...json.kernels[0], name: `kernel_${number}` }));
  });
  const hurt = changed("watch-nasty", watched, (json) => {
    for (const finding of json.findings) Object.assign(finding, { kernel: hostile, text: hostile, details: [hostile, "x".repeat(1 << 16)], place: { file: hostile, line: 1, function: hostile }, definition: { file: hostile, line: 2, function: hostile } });
    for (const timeline of json.timelines) {
      Object.assign(timeline, { kernel: hostile, shapes: hostile, codes: timeline.codes.map(() => hostile) });
      for (const call of timeline.calls) Object.assign(call, { numbers: hostile, run: 77, spans: call.spans.map((span) => ({ ...span, code: 999, to_ns: 0 })) });
    }
    for (const kernel of json.kernels) Object.assign(kernel, { name: hostile, launches: [], trials: [], tuning_ns: [] });
    Object.assign(json, { watched: [hostile], notes: [hostile], started: "" });
  });
  const blind = changed("watch-blind", watched, (json) => Object.assign(json, { findings: [], kernels: [], timelines: [], runs: json.runs.map((run) => ({ ...run, launches: 0, compiles: 0, trials: 0 })) }));
  const files = { watch: [watched], watch_clean: [clean], watch_ranks: [ranks], watch_nasty: [hurt], watch_blind: [blind], run_and_watch: [good, watched], run_and_clean_watch: [bad, clean], good: [good], bad: [good, bad], gate: [good, join(data, "gate.json")], session: [join(data, "session.json")], history: [changes], audit: [mutants], empty: [empty], incomplete: [incomplete], nasty: [nasty], many: [many], thirty: [thirty], known: [known], audit_bad: [survivors], sessions: [join(data, "session.json"), invalid], verdicts: [over_time], good_and_verdicts: [good, over_time], long_words: [long_words] };
  const before = changed("audit-before", mutants, (json) => Object.assign(json, { started: "2024-05-01T12:00:00Z" }));
  // Ended after its first scenario, which held.
  const part = changed("thirty-part", thirty, (json) => {
    json.pending = json.scenarios.splice(1).map(({ name }) => name);
    Object.assign(json.scenarios[0], { verdict: "pass", checks: [] });
    Object.assign(json, { complete: false, exit_status: 4 });
  });
  const bases = { against_part: [[thirty], ["--base", part]], audit_against_base: [[survivors], ["--base", before]], against_base: [[thirty], ["--base", basesOf("thirty", thirty), "--repository", "https://example.org/tuner"]] };
  return Object.fromEntries(await Promise.all([...Object.entries(files).map(([name, of]) => [name, [of]]), ...Object.entries(bases)].map(async ([name, [of, options]]) => [name, await page(name, of, options)])));
}

const index = join(out, "reports.json");

/** Makes all reports and the page State of autotuners, and writes down where they are. */
export async function prepare() {
  const [reports] = await Promise.all([makeAll(), state()]);
  writeFileSync(index, JSON.stringify(reports));
}

/** What `prepare` made: of each report its `path`, the seconds that it took, and `read`, for its first document. */
export const made = () => Object.fromEntries(Object.entries(JSON.parse(readFileSync(index, "utf8"))).map(([name, report]) => [name, { ...report, read: () => JSON.parse(readFileSync(report.source, "utf8")) }]));

/** With 100 samples, and checks enough to see. */
function large(scenario) {
  const call = scenario.processes.flatMap((process) => process.calls).find(({ configs }) => configs.length > 0);
  if (!call) return scenario;
  const configs = [0, 1].map((at) => ({ ...call.configs[at % call.configs.length], config: `block=${64 << at}`, samples_ns: Array.from({ length: 50 }, (_, number) => 5000 + number) }));
  const process = { ...scenario.processes[0], calls: [{ ...call, configs, events: call.events.slice(0, 8) }] };
  return { ...scenario, checks: scenario.checks.slice(0, 12), processes: [process] };
}
