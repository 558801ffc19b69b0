// The page "State of autotuners" in real browsers. CHROMIUM and FIREFOX are the browsers (every test runs in each
// that is named), TUNECHECK_HTML_OUT is where prepare.mjs has put the page. If TUNECHECK_HTML_SCREENSHOTS names
// a folder, its views are drawn there at two widths, light and dark.
import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { axe, labels, launch, open, paint, settled } from "./browsers.mjs";

const shots = process.env.TUNECHECK_HTML_SCREENSHOTS;
const file = join(process.env.TUNECHECK_HTML_OUT, "state.html");
let browsers;

before(async () => {
  if (shots) mkdirSync(shots, { recursive: true });
  browsers = await launch();
}, { timeout: 240000 });
after(() => Promise.all((browsers ?? []).map((one) => one.close())));

/** A test in each browser, with a page of which every error, and every request to anywhere, fails it. */
function each(name, hash, check, options = {}) {
  for (const label of labels)
    test(`${name} (${label})`, { timeout: 300000 }, async () => {
      const browser = browsers.find((one) => one.label === label);
      const { page, done } = await open(browser, pathToFileURL(file).href + hash, { viewport: { width: 1280, height: 900 }, ...options });
      await page.waitForSelector("table.questions tbody td");
      await check(page);
      await done();
    });
}

const heading = (page) => page.locator(".detail h3").first();
const focused = (page) => page.evaluate(() => document.activeElement?.textContent ?? "");

each("is one file that shows every tuner and says how many causes explain the failures", "", async (page) => {
  assert.ok(statSync(file).size < 4 << 20, `${statSync(file).size} bytes`);
  assert.equal(await page.title(), "State of autotuners");
  assert.match(await page.locator(".lead").innerText(), /\d+ autotuners[\s\S]*\d+ of [\d,]+ scenario runs fail[\s\S]*\d+ causes explain those of \d+ tuners[\s\S]*break/);
  const cards = await page.locator("#glance article.tuner h3").allInnerTexts();
  for (const name of ["CubeCL", "FFTW", "FlyDSL", "helion", "inductor", "Kernel Tuner", "triton"])
    assert.ok(cards.some((card) => card.startsWith(name)), name);
  assert.ok(!cards.some((card) => card.startsWith("reference")), "our own tuner stands apart");
  assert.equal(await page.locator("#own table.questions").count(), 1);
});

each("tells two cards of one tuner apart", "", async (page) => {
  const heads = await page.locator("#questions tr.devices th").evaluateAll((all) => all.map((th) => th.title));
  assert.ok(heads.includes("triton 3.6.0: triton on NVIDIA H200"), heads.join("; "));
  assert.ok(heads.includes("triton 3.6.0: triton on NVIDIA H100 80GB HBM3"));
  assert.equal(new Set(heads).size, heads.length);
});

each("an address opens an answer with its cause, the state upstream, and how to repeat it", "#inductor-2.11.0-triton-3.6.0-cuda-nvidia-h200/key.must_hit", async (page) => {
  assert.equal(await heading(page).innerText(), "Is a stored winner kept when nothing that matters changes?");
  assert.equal(await focused(page), await heading(page).innerText());
  const text = await page.locator(".detail").innerText();
  for (const part of [/breaks its own promise/, /pytorch\/pytorch#172819 open\s+as of 2026-/, /Since\s+not known; seen in inductor 2\.11\.0/, /Until\s+no version without it is known/, /tunecheck run \S+ --adapter inductor --backend cuda/, /docs\/findings\/inductor\/warm\.py/])
    assert.match(text, part);
});

for (const [what, hash] of [["a tuner", "#nobody/key.must_hit"], ["a question", "#triton/key.of_nothing"], ["a question's row", "#question/key.of_nothing"], ["a cause", "#cause/triton/nothing"]])
  each(`an address of ${what} that is not there says so`, hash, async (page) => {
    const said = page.locator(".missing");
    assert.equal(await said.innerText(), `This page has nothing at "${hash.slice(1)}". It may be of another version of the page.`);
    assert.ok(await said.evaluate((element) => element === document.activeElement));
    await page.evaluate(() => (location.hash = "#triton/store.synced"));
    await heading(page).waitFor();
    assert.equal(await said.isVisible(), false);
  });

each("a part of a column's name is enough", "#triton/store.synced", async (page) => {
  assert.match(await page.locator(".detail .crumbs").innerText(), /^triton 3\.6\.0, H100/);
});

each("names of columns stand upright, whole, and in their columns", "#questions", async (page) => {
  const heads = await page.locator("#questions table.questions").first().evaluate((table) => [...table.querySelectorAll("tr.devices th:not(:first-child)")].map((th) => ({ title: th.title, text: th.innerText, wide: th.scrollWidth > th.clientWidth + 1, high: th.scrollHeight > th.clientHeight + 1 })));
  assert.ok(heads.length > 15, `${heads.length} columns`);
  assert.deepEqual(heads.filter(({ wide, high, text }) => wide || high || text.includes("\n")), []);
}, { viewport: { width: 1400, height: 900 } });

each("of several causes the one that breaks a promise stands first, and quotes it", "#inductor-2.11.0-triton-3.6.0-cuda-nvidia-h100-80gb-hbm3/key.must_hit", async (page) => {
  const kinds = await page.locator(".detail .causebody dd:first-of-type .sign").evaluateAll((all) => all.map((sign) => [...sign.classList].find((name) => name !== "sign")).filter((name) => /promise|policy|said/.test(name)));
  const rank = { broken_promise: 0, never_said: 1, other_policy: 2 };
  const ranks = kinds.map((kind) => rank[kind]);
  assert.ok(ranks.length > 1, kinds.join(" "));
  assert.equal(ranks[0], 0, kinds.join(" "));
});

each("no cause of the stored results is unknown", "#causes", async (page) => {
  assert.equal(await page.locator("#questions td a.unexplained").count(), 0);
});

each("a finding and its script are in the page", "#cause/triton/binaries_unchecked", async (page) => {
  const cause = page.locator("details.cause[open]");
  assert.equal(await cause.count(), 1);
  await cause.getByText("Finding:").click();
  assert.match(await cause.locator(".finding").first().innerText(), /A damaged binary is run/);
  await cause.locator("summary", { hasText: "damaged_binary.py" }).click();
  assert.match(await cause.locator(".finding pre").last().innerText(), /import/);
});

each("questions are found by words, by answer and by tuner", "#questions", async (page) => {
  const rows = page.locator("#questions tbody tr[id]");
  const all = await rows.count();
  await page.locator("#questions .chip.broken_promise").click();
  const broken = await rows.count();
  assert.ok(broken > 0 && broken < all, `${broken} of ${all}`);
  await page.locator("#questions .chip.broken_promise").click();
  await page.getByLabel("Search").fill("digest");
  assert.ok(await rows.count() > 0 && await rows.count() < all, "a cause is found, too");
  await page.getByLabel("Search").fill("nothing has these words");
  assert.match(await page.locator("#questions [role=status]").innerText(), /No question fits/);
  await page.getByLabel("Search").fill("");
  await page.locator("#questions select").selectOption("Kernel Tuner");
  assert.equal(await page.locator("#questions tr.devices th[scope=col]").count(), 2);
  // An address beats a filter that hides it.
  await page.evaluate(() => (location.hash = "#cubecl/cache.untouched"));
  await heading(page).waitFor();
  assert.match(await page.locator(".detail").innerText(), /no cache file is ever touched/);
});

each("keys alone open an answer, and give the focus back", "#questions", async (page) => {
  await page.locator("#questions td a.broken_promise").first().focus();
  const from = await focused(page);
  await page.keyboard.press("Enter");
  await heading(page).waitFor();
  assert.equal(await focused(page), await heading(page).innerText());
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".detail").count(), 0);
  assert.equal(await focused(page), from);
});

each("what could not be asked says why", "#fftw/reset.policy", async (page) => {
  assert.match(await page.locator(".detail").innerText(), /not testable[\s\S]*the tuner does not offer “accumulate”/);
});

const views = { top: "", questions: "#questions", answer: "#inductor/key.must_hit", cause: "#cause/inductor/coordinate_descent_again", gaps: "#gaps", about: "#about" };
for (const width of [1280, 390])
  for (const colorScheme of ["light", "dark"])
    each(`at ${width} px in ${colorScheme} nothing is too wide, and axe finds nothing`, "", async (page) => {
      await paint(page, colorScheme);
      await page.evaluate(axe);
      for (const [name, hash] of Object.entries(views)) {
        await page.evaluate((hash) => (location.hash = hash), hash);
        await settled(page);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`);
        if (shots) await page.screenshot({ path: join(shots, `state-${name}-${width}-${colorScheme}.png`) });
      }
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].target} ${nodes[0].failureSummary}`), []);
    }, { viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme });
