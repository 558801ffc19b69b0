// Draws every view of HTML reports, to be looked at: node screenshots.mjs FOLDER [RESULT...]
// The page State of autotuners is drawn as well; Chromium also prints each report as a PDF.
// TUNECHECK is the program, CHROMIUM and FIREFOX are browsers (one of them is enough), and
// TUNECHECK_HTML_OUT is where reports are kept. Of each view there are the first screen and the whole
// page at two widths: what somebody sees who opens it on a desk and on a phone. Each RESULT is a
// result of `tunecheck run` that is drawn as well, alone and against a base in which half of its
// failures are not.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browsers.mjs";
import { basesOf, makeAll, page as report, state } from "./reports.mjs";

const [folder = "", ...results] = process.argv.slice(2);
if (!folder) {
  console.error("screenshots.mjs: expected a folder for the pictures");
  process.exit(3);
}
const sizes = [{ width: 1400, height: 900 }, { width: 390, height: 844 }];

/** Name of a report, and the views of it. */
const views = {
  thirty: ["", "#/scenarios"],
  good: ["", "#/scenarios", "#/kernels", "#/kernel/relax_until_converged"],
  bad: ["", "#/scenario/restore.winner_for_the_right_reason?run=1"],
  against_base: ["", "#/scenarios?since=n"],
  known: ["", "#/scenarios?verdict=known"],
  session: ["", "#/gate"],
  gate: ["", "#/gate"],
  audit: [""],
  audit_bad: [""],
  history: [""],
  watch: [""],
  run_and_watch: ["", "#/watch"],
  incomplete: [""],
  audit_against_base: [""],
  state: ["", "#questions", "#inductor/key.must_hit", "#question/key.must_hit", "#cause/triton/binaries_unchecked", "#gaps"],
};

mkdirSync(folder, { recursive: true });
const reports = { ...await makeAll(), state: await state() };
for (const [at, result] of results.entries()) {
  const name = `given-${at + 1}`;
  reports[name] = await report(name, [result]);
  reports[`${name}-against-base`] = await report(`${name}-against-base`, [result], ["--base", basesOf(name, result), "--repository", "https://example.org/tuner"]);
  views[name] = ["", "#/scenarios"];
  views[`${name}-against-base`] = [""];
}

/** What comes out of a printer. */
async function print(browser) {
  const page = await browser.newPage();
  for (const name of Object.keys(views)) {
    await page.goto(pathToFileURL(reports[name].path).href);
    await page.waitForSelector("h1");
    await page.waitForTimeout(250);
    await page.pdf({ path: join(folder, `${name}.pdf`), preferCSSPageSize: true });
    console.log(join(folder, `${name}.pdf`));
  }
  await page.close();
}

for (const browser of await launch()) {
  for (const viewport of sizes) {
    const page = await browser.newPage({ viewport });
    for (const [name, hashes] of Object.entries(views))
      for (const hash of hashes) {
        const title = `${browser.label}-${viewport.width}-${name}${hash ? `-${hash.replace(/\W+/g, "-").replace(/^-|-$/g, "")}` : ""}`;
        await page.goto("about:blank");
        await page.goto(pathToFileURL(reports[name].path).href + hash);
        await page.waitForSelector("h1");
        await page.waitForTimeout(250);
        await page.screenshot({ path: join(folder, `${title}-first.png`) });
        await page.screenshot({ path: join(folder, `${title}-whole.png`), fullPage: true });
        console.log(join(folder, `${title}-first.png`));
      }
    await page.close();
  }
  if (browser.label === "chromium") await print(browser);
  await browser.close();
}
