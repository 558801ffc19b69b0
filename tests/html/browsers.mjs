// The browsers in which reports are opened: Debian's own, since a page must work in what people have.
import { chromium, firefox } from "playwright-core";

/** Of the browsers that there are. */
export const labels = ["chromium", "firefox"].filter((label) => process.env[label.toUpperCase()]);

/** Those that CHROMIUM and FIREFOX name, each with `label`, its kind. */
export async function launch() {
  const browsers = [];
  // No sandbox: tests run as root in containers, and open nothing but files of their own.
  if (process.env.CHROMIUM) browsers.push(named("chromium", await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] })));
  // Playwright drives its own build of Firefox; every other one it drives by WebDriver BiDi.
  if (process.env.FIREFOX) browsers.push(named("firefox", await firefox.launch({ channel: "moz-firefox", executablePath: process.env.FIREFOX })));
  return browsers;
}

const named = (label, browser) => Object.assign(browser, { label });
