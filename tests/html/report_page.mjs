// What the tests of HTML reports share: the reports, a browser, and what is asked of every page.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test as run } from "node:test";
import { pathToFileURL } from "node:url";
import { labels, launch, open as visit } from "./browsers.mjs";
import { made } from "./reports.mjs";

const shots = process.env.TUNECHECK_HTML_SCREENSHOTS;
let browsers;
export let browser, reports;

/** In each browser, one after the other. */
export function test(name, check) {
  for (const label of labels)
    run(`${label}: ${name}`, { timeout: 300000 }, () => {
      browser = browsers.find((one) => one.label === label);
      return check();
    });
}

before(async () => {
  if (shots) mkdirSync(shots, { recursive: true });
  reports = made();
  browsers = await launch();
}, { timeout: 240000 });
after(() => Promise.all((browsers ?? []).map((one) => one.close())));

export async function draw(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${browser.label}-${name}.png`), fullPage: true });
}

/** A page of which every error of the console, and every request to anywhere, fails the test. */
export async function open(name, hash = "", options = {}) {
  const { page, done } = await visit(browser, pathToFileURL(reports[name].path).href + hash, { viewport: { width: 1200, height: 900 }, ...options });
  await page.waitForSelector("h1");
  return { page, done: async (shot) => {
    if (shot) await draw(page, shot);
    await done();
  } };
}

/** "Gate 7": the number is how much there is to look at. */
export const tabs = async (page) => (await page.locator("nav a").all()).length ? page.locator("nav a").evaluateAll((links) => links.map((link) => [...link.childNodes].map((node) => node.textContent).join(" "))) : [];
export const heading = (page) => page.locator("h1").first().innerText();
