import { auditPage } from "./audit";
import { wordOf } from "./brief";
import { index } from "./data";
import { h, type Child } from "./dom";
import { gatePage } from "./gate";
import { historyPage } from "./history";
import { kernelPage, kernels } from "./kernel";
import { list, moveInList, selected } from "./list";
import { overview } from "./overview";
import { scenarioAddress } from "./row";
import { address, route } from "./route";
import { findScenario, scenarioPage } from "./scenario";
import { watchPage } from "./watch";

interface View {
  name: string;
  title: () => string;
  page: () => Child[];
  tab: string;
}

// A report of one document that is no run opens on it: there is nothing else to see.
const alone = index.briefs.length === 1 && index.briefs[0]!.kind !== "run" ? index.briefs[0]!.kind : "";
const pageOf: Record<string, () => Child[]> = { watch: watchPage, gate: gatePage, history: historyPage, audit: auditPage };
const names: Record<string, string> = { "": "Overview", scenarios: "Scenarios", kernels: "Kernels", watch: "Watch", gate: "Gate", history: "History", audit: "Audit" };

const view = (name: string, page: () => Child[], tab = name): View => ({ name, title: () => names[name]!, page, tab: tab === alone ? "" : tab });
const views: Record<string, View> = {
  "": { name: alone, title: () => names[alone]!, page: pageOf[alone] ?? overview, tab: "" },
  scenarios: view("scenarios", list),
  scenario: { name: "scenario", title: () => route().parts[1] ?? "", page: scenarioPage, tab: "scenarios" },
  kernels: view("kernels", kernels),
  kernel: { name: "kernel", title: () => route().parts[1] ?? "", page: kernelPage, tab: "kernels" },
  watch: view("watch", watchPage), gate: view("gate", gatePage), history: view("history", historyPage), audit: view("audit", auditPage),
};
// What a report does not have gets no tab.
const tabs = ["", ...Object.keys(names).filter((name) => name && name !== alone && index.counts[name] !== undefined)];
const tabText = (tab: string): Child => {
  const name = tab || alone;
  return [names[name]!, index.counts[name] !== undefined && h("span", { class: "count" }, index.counts[name]!.toLocaleString("en"))];
};

const main = h("main", { id: "main", tabindex: -1 });
const navigation = h("nav", { "aria-label": "Views" });
// What a list showed when somebody left it, so that "next" goes its way and "back" leads there.
let listQuery = "";

function show(): void {
  const { parts, query } = route();
  const view = views[parts[0] ?? ""];
  if (view?.name === "scenarios") listQuery = query.toString();
  document.title = `${view ? view.title() : "Not found"} · ${wordOf(index.verdict)} · tunecheck`;
  navigation.replaceChildren(...tabs.map((tab) => h("a", { href: tab === "scenarios" && listQuery ? `#/scenarios?${listQuery}` : address(tab ? [tab] : []), "aria-current": view?.tab === tab ? "page" : undefined }, tabText(tab))));
  // On a phone not all of them have room.
  const current = navigation.querySelector<HTMLElement>("[aria-current]");
  if (current) navigation.scrollLeft = current.offsetLeft - navigation.offsetLeft - 40;
  main.replaceChildren(h("div", { class: `view ${view?.name || "overview"}` }, view ? view.page() : [h("h1", {}, "Not here"), h("p", {}, "There is no such view. ", h("a", { href: "#/" }, "Overview"))]));
}

/** Of several documents in one view the one that the address names. */
function goToDocument(): void {
  const number = Number(route().query.get("document") ?? "0");
  if (number > 0) main.querySelector(".view")?.children[number]?.scrollIntoView();
}

const themes = ["auto", "light", "dark"];
// A browser may refuse to keep anything for a file.
const kept = (): string => {
  try {
    return localStorage.getItem("tunecheck-theme") ?? "auto";
  } catch {
    return "auto";
  }
};
const themeButton = h("button", { type: "button", class: "quiet", click: nextTheme });
function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  themeButton.textContent = theme === "auto" ? "◐" : theme === "light" ? "☀" : "☾";
  themeButton.setAttribute("aria-label", `Colours: ${theme}. Change`);
  themeButton.title = `Colours: ${theme} (t)`;
}
function nextTheme(): void {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % themes.length]!;
  setTheme(next);
  try {
    localStorage.setItem("tunecheck-theme", next);
  } catch {
    // It holds until the page is closed.
  }
}

const keys: [string, string][] = [["/", "search scenarios"], ["j, k", "next and previous scenario, in the list and in a scenario"], ["Esc", "back to the list"], ["o, s, c, w, g, h, a", "overview, scenarios, kernels, watch, gate, history, audit"], ["t", "light, dark, or as the system"], ["?", "this help"]];
const help = h("dialog", { "aria-labelledby": "keys" }, h("h2", { id: "keys" }, "Keys"), h("dl", { class: "keys" }, keys.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)))), h("form", { method: "dialog" }, h("button", {}, "Close")));

function neighbour(step: number): void {
  const found = findScenario();
  if (route().parts[0] !== "scenario" || !found) return;
  const here = location.hash;
  history.replaceState(null, "", `#/scenarios?${listQuery}`);
  const rows = selected();
  history.replaceState(null, "", here);
  const next = rows[rows.indexOf(found.row) + step];
  if (next) location.hash = scenarioAddress(next);
}

const next = (step: number): void => (route().parts[0] === "scenarios" ? moveInList(step) : neighbour(step));

function goTo(tab: string): void {
  if (tab === alone) location.hash = "#/";
  else if (tabs.includes(tab)) location.hash = address([tab]);
}

const shortcuts: Record<string, () => void> = {
  "/": () => {
    if (index.counts.scenarios === undefined) return;
    if (route().parts[0] !== "scenarios") location.hash = address(["scenarios"]);
    setTimeout(() => document.getElementById("search")?.focus());
  },
  j: () => next(1),
  k: () => next(-1),
  Escape: () => route().parts[0] === "scenario" && (location.hash = `#/scenarios${listQuery ? `?${listQuery}` : ""}`),
  o: () => (location.hash = "#/"),
  s: () => goTo("scenarios"),
  c: () => goTo("kernels"),
  w: () => goTo("watch"),
  g: () => goTo("gate"),
  h: () => goTo("history"),
  a: () => goTo("audit"),
  t: nextTheme,
  "?": () => help.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const target = event.target as HTMLElement;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
    if (event.key === "Escape") target.blur();
    return;
  }
  const action = shortcuts[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
addEventListener("hashchange", ({ oldURL }) => {
  // Filters change the address of a list without leaving it.
  const left = /#\/scenarios\??(.*)$/.exec(oldURL);
  if (left) listQuery = left[1]!;
  show();
  scrollTo(0, 0);
  goToDocument();
  main.focus({ preventScroll: true });
});
// Paper has nothing to press: what a list would show when it is opened is put into it.
addEventListener("beforeprint", () => main.querySelectorAll("details").forEach((details) => details.dispatchEvent(new Event("toggle"))));

setTheme(kept());
document.getElementById("app")!.replaceChildren(
  h("a", { class: "skip", href: "#main", click: (event) => { event.preventDefault(); main.focus(); } }, "Skip to the content"),
  h("header", { class: "top" }, h("div", { class: "inner" }, h("a", { class: "brand", href: "#/" }, "tunecheck"), navigation, h("div", { class: "tools" }, h("button", { type: "button", class: "quiet", "aria-label": "Keys", title: "Keys (?)", click: () => help.showModal() }, "?"), themeButton))),
  main,
  h("footer", {}, `Made by tunecheck ${index.version}. This file is complete: it needs no network.`),
  help);
show();
goToDocument();
