// What `tunecheck watch` found, in an HTML report.
import assert from "node:assert/strict";
import { eventually } from "./browsers.mjs";
import { heading, open, reports, test } from "./report_page.mjs";
import { hostile } from "./reports.mjs";

test("a watch alone is the whole page: its verdict, and each finding with its lines", async () => {
  const { page, done } = await open("watch");
  assert.equal(await heading(page), "Fail");
  assert.equal(await page.title(), "Watch · Fail · tunecheck");
  assert.match(await page.locator(".lead").innerText(), /^2 findings\.$/);
  assert.match(await page.locator(".answers dd").first().innerText(), /^WRONG sgd .*; CHANGED l2norm /);
  const cards = page.locator("article.finding");
  assert.equal(await cards.count(), reports.watch.read().findings.length);
  const { definition, place } = reports.watch.read().findings[0];
  const first = await cards.first().innerText();
  assert.ok(first.includes(`${definition.file}:${definition.line}`) && first.includes(`${place.file}:${place.line}`), first);
  assert.match(first, /argument 0 \(16384 bytes\)/);
  assert.match(await cards.filter({ hasText: "COMPILED" }).innerText(), /allowed/);
  assert.match(await cards.filter({ hasText: "rmsnorm" }).innerText(), /in the baseline/);
  assert.match(await cards.filter({ hasText: "noisy" }).innerText(), /unclear/);
  const runs = page.getByRole("region", { name: "Runs of the program" });
  assert.equal(await runs.locator("tbody tr").count(), 3);
  await done("watch");
});

test("the launches of a tuned kernel stand on one axis, and in a table that says the same", async () => {
  const { page, done } = await open("watch");
  const [{ calls, codes }] = reports.watch.read().timelines;
  const drawing = page.locator(".watchline .chart svg");
  await drawing.waitFor();
  assert.deepEqual(await page.locator(".codes code").allInnerTexts(), codes);
  for (const run of ["cold", "warm 1", "warm 2"]) assert.match(await drawing.innerHTML(), new RegExp(run));
  assert.match(await page.locator(".watchline .legend").innerText(), /▲ not put back: \d+ launches/);
  await page.locator(".watchline details summary").focus();
  await page.keyboard.press("Enter");
  const rows = page.getByRole("region", { name: "Launches in the order of time" }).locator("tbody tr");
  await eventually(async () => assert.equal(await rows.count(), calls.flatMap(({ spans }) => spans).length));
  assert.match(await rows.first().innerText(), /cold[\s\S]*trial[\s\S]*block=1[\s\S]*another result/);
  await done("watch-table");
});

test("a finding leads to its timeline, which is chosen and zoomed by keyboard", async () => {
  const { page, done } = await open("watch_ranks");
  await page.getByRole("link", { name: "Its launches in the order of time" }).first().focus();
  await page.keyboard.press("Enter");
  await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.textContent), "When tuned kernels were launched"));
  const whole = page.getByRole("button", { name: "Whole runs" });
  assert.equal(await whole.getAttribute("aria-pressed"), "false");
  assert.equal(await page.getByRole("button", { name: "The tuning" }).getAttribute("aria-pressed"), "true");
  await whole.focus();
  await page.keyboard.press("Enter");
  assert.equal(await whole.getAttribute("aria-pressed"), "true");
  const lanes = page.locator(".watchline svg text text, .watchline svg g > text", { hasText: /^(cold|warm \d) · rank \d · stream \d/ });
  // Ranks that did the same are one lane, which says how many they are.
  assert.match(await lanes.last().innerHTML(), / and \d+ like it/);
  await page.getByRole("button", { name: "Equal lanes as one" }).click();
  await page.getByRole("button", { name: "Show all 48 lanes" }).click();
  await eventually(async () => assert.equal(await lanes.count(), 48));
  await page.getByLabel("Find lanes or codes").fill("rank 3");
  await eventually(async () => assert.equal(await lanes.count(), 6));
  await page.getByLabel("Find lanes or codes").fill("");
  await page.getByRole("button", { name: "Zoom in" }).focus();
  await page.keyboard.press("Enter");
  await eventually(async () => assert.match(await page.locator(".zoom [role=status]").innerText(), /^\d.* to .* of /));
  await page.getByRole("button", { name: "Whole time" }).click();
  await eventually(async () => assert.equal(await page.locator(".zoom [role=status]").innerText(), ""));
  await page.getByLabel("Kernel", { exact: true }).selectOption({ index: 1 });
  await eventually(() => assert.match(page.url(), /timeline=1/));
  assert.match(await page.locator("main").innerText(), /3 more tuned kernels have no timeline/);
  await page.getByRole("button", { name: "Show all 300 kernels" }).click();
  assert.equal(await page.getByRole("region", { name: "Kernels and their launches" }).locator("tbody tr").count(), 300);
  await done("watch-ranks");
});

test("what a watch found is not hidden by a run that held, and the other way round", async () => {
  for (const [report, word, badges] of [["run_and_watch", "Fail", ["✓\nPass", "✕\nFail"]], ["run_and_clean_watch", "Fail", ["✕\nFail", "✓\nPass"]]]) {
    const { page, done } = await open(report);
    assert.equal(await heading(page), word);
    assert.match(await page.title(), /· Fail ·/);
    assert.deepEqual(await page.getByRole("region", { name: "Verdicts of all documents" }).locator("tbody .badge").allInnerTexts(), badges);
    await page.keyboard.press("w");
    await eventually(async () => assert.match(await page.locator("nav [aria-current=page]").innerText(), /^Watch/));
    await done(`${report}-watch`);
  }
});

test("a watch that found nothing passes, and one that saw nothing does not", async () => {
  for (const [report, word] of [["watch_clean", "Pass"], ["watch_blind", "Not trusted"]]) {
    const { page, done } = await open(report);
    assert.equal(await heading(page), word);
    assert.match(await page.locator("main").innerText(), /Nothing was found\./);
    await done(report);
  }
});

test("a watch of hostile text and places that are nowhere stays a page", async () => {
  const { page, done } = await open("watch_nasty");
  await page.locator(".watchline details summary").click();
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.ok((await page.locator("main").innerText()).includes(hostile.slice(0, 9)));
  await done("watch-nasty");
});
