// The browsers in which reports are opened: Debian's own, since a page must work in what people have.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, firefox } from "playwright-core";

/** Of the browsers that there are. */
export const labels = ["chromium", "firefox"].filter((label) => process.env[label.toUpperCase()]);

/** Source of axe-core, for page.evaluate. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Those that CHROMIUM and FIREFOX name, each with `label`, its kind. */
export async function launch() {
  const browsers = [];
  // No sandbox: tests run as root in containers, and open nothing but files of their own.
  if (process.env.CHROMIUM) browsers.push(named("chromium", await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] })));
  // Playwright drives its own build of Firefox; every other one it drives by WebDriver BiDi, which has no word for motion.
  if (process.env.FIREFOX) browsers.push(named("firefox", await firefox.launch({ channel: "moz-firefox", executablePath: process.env.FIREFOX, firefoxUserPrefs: { "ui.prefersReducedMotion": 1 } })));
  return browsers;
}

const named = (label, browser) => Object.assign(browser, { label });

/** Tabs that nobody looks at, by browser: opening one anew takes twice as long as what a test asks of its page. */
const unused = new Map();

async function tab(browser) {
  const kept = unused.get(browser)?.pop();
  if (kept) return kept;
  const page = await browser.newPage(), errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => !/^(file|data|about):/.test(request.url()) && errors.push(`asked for ${request.url()}`));
  return { page, errors };
}

/**
 * Opens the address as if nothing had been opened before, and gives its `page` and `done`, which fails if the page
 * made an error or asked for anything from anywhere, and forgets what the page has kept. A test that fails is
 * not done: nobody gets its tab again.
 */
export async function open(browser, address, { viewport, colorScheme = "light" }) {
  const { page, errors } = await tab(browser);
  const { width, height } = page.viewportSize() ?? {};
  if (width !== viewport.width || height !== viewport.height) await page.setViewportSize(viewport);
  // No motion: what changes slowly would be looked at half way.
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Another view of the same file would not load it again.
  if (withoutView(page.url()) === withoutView(address)) await page.goto("about:blank");
  await page.goto(address);
  const done = async () => {
    await settled(page);
    assert.deepEqual(errors, []);
    await page.evaluate(() => localStorage.clear());
    await page.mouse.move(0, 0);
    unused.set(browser, [...(unused.get(browser) ?? []), { page, errors }]);
  };
  return { page, done };
}

const withoutView = (address) => address.replace(/#.*/, "");

/**
 * Makes an open page light or dark: as the system says, and by the choice that each of our pages offers where the
 * browser cannot be told what the system says (BiDi has no word for that either).
 */
export async function paint(page, scheme) {
  await page.emulateMedia({ colorScheme: scheme });
  const shown = await page.evaluate((scheme) => {
    const said = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    document.documentElement.dataset.theme = said === scheme ? "auto" : scheme;
    return getComputedStyle(document.documentElement).colorScheme;
  }, scheme);
  assert.equal(shown, scheme, "the colours of the page");
}

/** What the page was about to do is done: a chart draws itself in the frame after it was told how wide it may be. */
export const settled = (page) => page.evaluate(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  for (let frames = 0; frames < 3; ++frames) await frame();
});

/** What a page shows a moment after it was asked to: the check, until it holds or 10 s have gone by. */
export async function eventually(check) {
  for (const end = performance.now() + 10000; ; await new Promise((resolve) => setTimeout(resolve, 25)))
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
}
