// The page "State of autotuners". Addresses: #SLUG/CHECK is one answer, where SLUG may be a part of
// a column's name ("triton" finds the first column of Triton); #question/CHECK one question,
// #cause/PRODUCT/NAME one cause.
import { type Child, h } from "../dom";
import { apartList, causeList, openCause } from "./causes";
import { others, own, page, products, type State } from "./data";
import { gaps } from "./gaps";
import { glance, headline } from "./glance";
import { type Filter, QuestionTable } from "./table";
import { counted, states } from "./words";

const table = new QuestionTable(others, "Questions, and each tuner's answer");
const ownTable = own.length ? new QuestionTable(own, "Questions, and the answers of tunecheck's own tuner") : undefined;
const filter: Filter = { words: "", states: new Set(), product: "" };
const found = h("p", { class: "small muted", role: "status" });

function redraw(): void {
  const rows = table.show(filter);
  found.textContent = rows ? counted(rows, "question") : "No question fits.";
}

const select = h("select", { "aria-label": "Tuner", change: () => pick(select.value) },
  h("option", { value: "" }, "All tuners"), products(others).map((product) => h("option", { value: product }, product)));

function pick(product: string): void {
  filter.product = select.value = product;
  redraw();
  document.getElementById("questions")!.scrollIntoView();
}

function chip(state: State): HTMLElement {
  const button = h("button", { type: "button", class: `chip ${state}`, "aria-pressed": "false", title: states[state].long }, h("span", { "aria-hidden": "true" }, states[state].glyph), ` ${states[state].short}`);
  button.addEventListener("click", () => {
    const on = !filter.states.delete(state);
    if (on) filter.states.add(state);
    button.setAttribute("aria-pressed", String(on));
    redraw();
  });
  return button;
}

function filters(): HTMLElement {
  const present = (Object.keys(states) as State[]).filter((state) => state !== "not_asked" && page.questions.some((question) => others.some((place) => question.cells[place]!.state === state)));
  const search = h("input", { type: "search", placeholder: "Search questions, checks, causes", "aria-label": "Search", input: () => { filter.words = search.value; redraw(); } });
  return h("div", { class: "controls" }, h("div", { class: "filters" }, search, select), h("div", { class: "chips", role: "group", "aria-label": "Only questions with an answer of" }, present.map(chip)), found);
}

const legend = (): HTMLElement => h("ul", { class: "plain legend-of-states" }, (Object.keys(states) as State[])
  .filter((state) => page.questions.some((question) => question.cells.some((cell) => cell.state === state)))
  .map((state) => h("li", {}, h("span", { class: `answer ${state}`, "aria-hidden": "true" }, h("span", { class: "glyph" }, states[state].glyph)), h("span", {}, h("strong", {}, states[state].short), `: ${states[state].long}`))));

const themes = ["auto", "light", "dark"];
const theme = h("button", { type: "button", class: "quiet", click: () => setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme!) + 1) % themes.length]!) });
function setTheme(name: string): void {
  document.documentElement.dataset.theme = name;
  theme.textContent = name === "auto" ? "◐" : name === "light" ? "☀" : "☾";
  theme.setAttribute("aria-label", `Colours: ${name}. Change`);
  try {
    localStorage.setItem("tunecheck-theme", name);
  } catch {
    // A page from a file may have no storage: then the choice is for now.
  }
}
function storedTheme(): string {
  try {
    return localStorage.getItem("tunecheck-theme") ?? "auto";
  } catch {
    return "auto";
  }
}

const dates = page.tuners.map((tuner) => tuner.dates.split(" to ")).flat().filter(Boolean).sort();
const range = dates[0] === dates.at(-1) ? dates[0] ?? "" : `${dates[0]} to ${dates.at(-1)}`;

const section = (id: string, title: string, says: Child, ...children: Child[]): HTMLElement =>
  h("section", { id, tabindex: -1 }, h("h2", {}, title), says && h("p", { class: "says" }, says), ...children);

function about(): Child {
  return [
    h("p", {}, "tunecheck runs a tuner in processes of its own, follows scenarios, and judges by what observers saw: a spy in place of the compiler, a probe in every launch, snapshots of the cache folder. What the tuner says of itself is compared with that. All tuners get the same scenarios; each scenario asks several questions."),
    h("p", {}, "An answer has the colour of the worst scenario. 61/78 means: of 78 scenarios that could ask the question, 61 held. A failure is not always a bug: "), legend(),
    h("p", {}, "Tuners that differ in what they offer are asked different scenarios, so that counts of two columns are not a ranking. Columns of one tuner are different devices, adapters or versions. What is not known is said to be not known: a version is only named where somebody looked, and the state of an issue is that of the day that stands next to it."),
  ];
}

function navigation(): HTMLElement {
  const links: [string, string][] = [["glance", "At a glance"], ["questions", "Questions"], ["causes", "Causes"], ["gaps", "Not testable"], ["about", "How to read"]];
  return h("header", { class: "top" }, h("div", { class: "inner" }, h("a", { class: "brand", href: "#top" }, "tunecheck"),
    h("nav", { "aria-label": "Sections" }, links.map(([id, name]) => h("a", { href: `#${id}` }, name))), h("div", { class: "tools" }, theme)));
}

/** The first column whose name is that, or begins so: "triton" is no part of "triton_plain". */
function columnOf(slug: string): number | undefined {
  const all = page.tuners.map((tuner, place) => ({ slug: tuner.slug, place }));
  return (all.find((column) => column.slug === slug) ?? all.find((column) => column.slug.startsWith(`${slug}-`)))?.place;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function clearFilter(): void {
  Object.assign(filter, { words: "", product: "" });
  filter.states.clear();
  select.value = "";
  document.querySelectorAll<HTMLInputElement>("input[type=search]").forEach((input) => (input.value = ""));
  document.querySelectorAll(".chip").forEach((button) => button.setAttribute("aria-pressed", "false"));
  redraw();
}

/** False where the page has no such answer. */
function openAnswer(slug: string, check: string): boolean {
  const place = columnOf(slug);
  if (place === undefined || !page.questions.some((question) => question.check === check)) return false;
  if (page.tuners[place]!.own) {
    document.querySelector<HTMLDetailsElement>("#own details")?.setAttribute("open", "");
    ownTable?.select(place, check);
  } else if (!table.select(place, check)) {
    clearFilter();
    table.select(place, check);
  }
  return true;
}

const missing = h("p", { class: "missing", role: "status", tabindex: -1, hidden: true });

/** An address that leads nowhere says so, instead of showing the top as if that were meant. */
function sayMissing(address: string): void {
  missing.textContent = `This page has nothing at "${address}". It may be of another version of the page.`;
  missing.hidden = false;
  missing.scrollIntoView({ block: "center" });
  missing.focus({ preventScroll: true });
}

function follow(): void {
  const id = location.hash.slice(1), [first = "", ...rest] = id.split("/").map(decoded);
  missing.hidden = true;
  let found = true;
  if (first === "cause") found = openCause(id);
  else if (first === "question") {
    if (!document.getElementById(id)) clearFilter();
    const row = document.getElementById(id);
    found = row !== null;
    row?.scrollIntoView({ block: "center" });
    row?.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
  } else if (rest.length === 1) found = openAnswer(first, rest[0]!);
  else found = id === "" || document.getElementById(id) !== null;
  if (!found) sayMissing(decoded(id));
}

const apart = apartList();
setTheme(storedTheme());
document.getElementById("app")!.append(
  h("a", { class: "skip", href: "#questions" }, "To the questions"),
  navigation(),
  h("main", { class: "state", id: "top" },
    missing,
    h("div", { class: "hero" }, h("h1", {}, "State of autotuners"), headline(),
      h("p", { class: "small muted" }, `${counted(page.questions.length, "question")}; run ${range}; tunecheck ${page.version}. `, h("a", { href: "#about" }, "How to read this"))),
    section("glance", "At a glance", "", glance(pick)),
    section("questions", "Questions and answers", "Choose an answer to see what was observed, why, and how to repeat it.", filters(), legend(), table.element),
    section("causes", "Causes", "Many failures have few causes. Each is one behaviour of a tuner, with what the tuner promises, what is known upstream, and a script that shows it alone.", causeList()),
    apart && section("apart", "Fixed, or shown by scripts alone", "No scenario of these results shows these: a later version has mended them, or a script is enough.", apart),
    section("gaps", "What was not testable, and why", "Silence is no praise: these scenarios could not be asked.", gaps()),
    ownTable && section("own", "tunecheck's own tuner", "It is here as a control: it shows that every question can be answered well, and says nothing about anybody else.", h("details", {}, h("summary", {}, "Show its answers"), ownTable.element)),
    section("about", "How to read this", "", about())),
  h("footer", {}, "Made by ", h("code", {}, "tunecheck matrix --format html"), ` ${page.version}. This file needs no network.`));
redraw();
addEventListener("hashchange", follow);
follow();
