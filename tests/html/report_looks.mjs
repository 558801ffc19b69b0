// What holds of every HTML report: people who see little can read it, it fits a phone, and it may be large.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { axe, paint, settled } from "./browsers.mjs";
import { draw, open, reports, test } from "./report_page.mjs";

/** What axe-core, which the page must have, calls serious or critical, as "rule: element"; of `rules`, or of all. */
async function problems(page, rules) {
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const found = await page.evaluate((options) => window.axe.run(document, options), options);
  return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

// Themes differ in nothing but colours. A page is opened once for all of its views: that takes longer than
// what is asked of it.
for (const [report, views] of [["bad", ["", "#/scenarios", "#/scenario/restore.winner_for_the_right_reason?run=1", "#/kernels", "#/kernel/relax_until_converged", "#/nowhere"]], ["gate", ["", "#/gate"]], ["session", ["#/gate"]], ["history", ["", "#/history"]], ["audit", ["#/audit"]], ["watch", [""]], ["watch_ranks", [""]], ["run_and_watch", ["", "#/watch"]], ["empty", [""]], ["thirty", [""]], ["known", [""]], ["against_base", ["", "#/scenarios?since=n"]], ["audit_bad", [""]]])
  test(`axe finds no serious problem in the report "${report}", light and dark`, async () => {
    const { page, done } = await open(report, "#/nothing-yet", { colorScheme: "light" });
    const file = page.url().replace(/#.*/, "");
    await page.evaluate(axe);
    for (const view of views)
      for (const [theme, rules] of [["light"], ["dark", ["color-contrast", "link-in-text-block"]]]) {
        await paint(page, theme);
        await page.goto(file + (view || "#/"));
        await settled(page);
        assert.deepEqual(await problems(page, rules), [], `${report}${view}, ${theme}`);
        await draw(page, `${theme}-${report}-${view.replace(/\W+/g, "-")}`);
      }
    await done();
  });

test("nothing is wider than a phone", async () => {
  for (const [report, view] of [["bad", ""], ["bad", "#/scenarios"], ["bad", "#/scenario/restore.winner_for_the_right_reason?run=1"], ["good", "#/kernel/relax_until_converged"], ["gate", "#/gate"], ["session", "#/gate"], ["history", "#/history"], ["audit", "#/audit"], ["nasty", ""], ["watch", ""], ["watch_ranks", ""], ["watch_nasty", ""], ["run_and_watch", ""], ["thirty", ""], ["known", ""], ["against_base", ""], ["against_base", "#/scenarios"]]) {
    const { page, done } = await open(report, view, { viewport: { width: 390, height: 844 } });
    await settled(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), `${report}${view} scrolls sideways`);
    await done(`phone-${report}-${view.replace(/\W+/g, "-")}`);
  }
});

// How long it takes is printed and not asked: other tests may have the machine.
test("10,000 scenarios with 1,000,000 samples open and scroll", async () => {
  const begun = performance.now();
  const { page, done } = await open("many");
  const opened = performance.now() - begun;
  await page.keyboard.press("s");
  await page.locator("a.row").first().waitFor();
  assert.equal(await page.locator("a.row").count(), 10000);
  // The time between two frames while it scrolls from top to bottom.
  const slowest = await page.evaluate(() => new Promise((resolve) => {
    let last = performance.now(), most = 0, frames = 0;
    const step = (now) => {
      if (frames++ > 5) most = Math.max(most, now - last);
      last = now;
      scrollBy(0, document.documentElement.scrollHeight / 60);
      if (frames < 70) requestAnimationFrame(step);
      else resolve(most);
    };
    requestAnimationFrame(step);
  }));
  console.log(`10,000 scenarios: ${(statSync(reports.many.path).size / (1 << 20)).toFixed(1)} MiB, opened in ${opened.toFixed(0)} ms, slowest frame ${slowest.toFixed(0)} ms, made in ${reports.many.seconds.toFixed(1)} s`);
  await done();
});
