// Elements without a framework. Text is only ever set as text: nothing from a result becomes markup.
export type Child = Node | string | number | false | null | undefined | Child[];
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else if (child || child === 0) parent.appendChild(document.createTextNode(String(child)));
  }
}

/** A sentence in the place of what there is no data for. */
export const nothing = (sentence: string): HTMLElement => h("p", { class: "nothing" }, sentence);

/** A long name that may be broken after its separators, and nowhere else if that is enough. A short one stays whole. */
export const breakable = (text: string): Child =>
  text.split(/(?<= )/).map((word) => (word.length <= 18 ? word : word.split(/(?<=[._/,])/).map((part) => [part, h("wbr")])));

/** Only http and https links of a result are followed. */
export const outside = (url: string): Child =>
  /^https?:\/\//.test(url) ? h("a", { href: url, rel: "noreferrer" }, url) : url;

/** A file beside the page. Its name is a path, and no address of something else: "javascript:" would be one. */
export const beside = (file: string): Child =>
  file.startsWith("/") ? h("code", {}, file) : h("a", { href: `./${file.split("/").map(encodeURIComponent).join("/")}` }, h("code", {}, file));

export function copyable(text: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  // A browser would break after the hyphens of an option.
  const code = h("code", { tabindex: 0 }, text.split(/( +)/).map((word) => (word.startsWith("-") && word.length <= 30 ? h("span", { class: "whole" }, word) : word)));
  return h("div", { class: "copyable" }, code, button);
}

export function table(heads: (string | { text: string; number: true })[], rows: Child[][], label: string): HTMLElement {
  const numeric = heads.map((head) => typeof head !== "string");
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: numeric[at] ? "number" : undefined }, typeof head === "string" ? head : head.text)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, at) => h("td", { class: numeric[at] ? "number" : undefined }, cell))))),
    ),
  );
}

/** A table of facts: name and value. */
export const facts = (pairs: [string, Child][]): HTMLElement =>
  h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== "" && value !== undefined).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

/** Draws again when its width changes. `label` says what a person who does not see it misses. */
export function chart(label: string, draw: (width: number) => Element): HTMLElement {
  const holder = h("div", { class: "chart", role: "img", "aria-label": label });
  let drawn = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry!.contentRect.width);
    if (width === drawn || width < 40) return;
    drawn = width;
    const drawing = draw(width);
    drawing.setAttribute("aria-hidden", "true");
    holder.replaceChildren(drawing);
  }).observe(holder);
  return holder;
}
