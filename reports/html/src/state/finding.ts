// A finding, as its page in docs/findings has it: just enough of Markdown to read it.
import { type Child, h } from "../dom";
import { findings } from "./data";

const inlines = /\[([^\]]+)\]\(([^)\s]+)\)|`([^`]+)`|\*\*([^*]+)\*\*/g;

function inline(text: string): Child[] {
  const children: Child[] = [];
  let end = 0;
  for (const match of text.matchAll(inlines)) {
    children.push(text.slice(end, match.index));
    const [whole, label, target, code, strong] = match;
    if (code !== undefined) children.push(h("code", {}, code));
    else if (strong !== undefined) children.push(h("strong", {}, strong));
    else if (/^https:\/\//.test(target!)) children.push(h("a", { href: target, rel: "noreferrer" }, ...inline(label!)));
    else children.push(...inline(label!));
    end = match.index + whole.length;
  }
  children.push(text.slice(end));
  return children;
}

const code = (text: string, label: string): HTMLElement => h("pre", { tabindex: 0, role: "region", "aria-label": label }, text);

function table(lines: string[]): HTMLElement {
  const rows = lines.filter((line) => !/^\|[\s:|-]+\|$/.test(line)).map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()));
  const [head, ...body] = rows;
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "a table of the finding" },
    h("table", {}, h("thead", {}, h("tr", {}, head!.map((cell) => h("th", { scope: "col" }, ...inline(cell))))),
      h("tbody", {}, body.map((row) => h("tr", {}, row.map((cell) => h("td", {}, ...inline(cell))))))));
}

function block(lines: string[]): HTMLElement {
  const first = lines[0]!;
  if (first.startsWith("#")) return h("p", {}, h("strong", {}, ...inline(first.replace(/^#+\s*/, ""))));
  if (first.startsWith("|")) return table(lines);
  if (first.startsWith("- ")) return h("ul", {}, lines.join("\n").split(/^- /m).filter(Boolean).map((item) => h("li", {}, ...inline(item))));
  return h("p", {}, ...inline(lines.join(" ")));
}

/** The parts between fences are code; those between empty lines are blocks. */
function rendered(text: string): HTMLElement[] {
  const elements: HTMLElement[] = [];
  text.split(/^```.*$/m).forEach((part, at) => {
    if (at % 2) elements.push(code(part.replace(/^\n|\n$/g, ""), "output"));
    else for (const lines of part.split(/\n\s*\n/)) if (lines.trim()) elements.push(block(lines.trim().split("\n")));
  });
  return elements;
}

/** Where it lies, and what it says if it is a part of this page. Drawn when it is opened. */
export function attachment(path: string, what: string): HTMLElement {
  const content = findings[path];
  const name = `docs/findings/${path}`;
  if (content === undefined) return h("p", { class: "small" }, `${what}: `, h("code", {}, name));
  const details = h("details", { class: "document" }, h("summary", {}, `${what}: `, h("code", {}, name)));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1)
      details.append(h("div", { class: "finding" }, path.endsWith(".md") ? rendered(content) : code(content, name)));
  });
  return details;
}
