// Questions down, tuners across. A cell is a link to its own address; what it says in full opens
// below its row.
import { h } from "../dom";
import { type Cell, columnName, fullName, ofProduct, page, products, type Question, type State } from "./data";
import { cellLink, detail } from "./detail";
import { family, states } from "./words";

export interface Filter {
  words: string;
  states: Set<State>;
  product: string;
}

/** So many columns have room for a head that is written across. */
const mostAcross = 7;

/** "3.3.10-sse2-avx" and "0.6.0, triton 3.6.0" are 3.3.10 and 0.6.0 where there is little room. */
const shortVersion = (version: string): string => version.split(/[ ,-]/)[0]!;

const isBeyond = (state: State): boolean => state === "not_testable" || state === "not_asked";

function label(place: number, question: Question, cell: Cell): string {
  const counts = isBeyond(cell.state) ? "" : `, held in ${cell.held} of ${cell.asked}`;
  return `${fullName(page.tuners[place]!)} ${columnName(place)}, ${question.check}: ${states[cell.state].short}${counts}`;
}

function answer(place: number, question: Question): HTMLElement {
  const cell = question.cells[place]!;
  return h("td", { role: "cell", class: `of-${place}` },
    h("a", { class: `answer ${cell.state}`, href: cellLink(page.tuners[place]!, question), title: label(place, question, cell) },
      h("span", { class: "visually-hidden" }, label(place, question, cell)),
      h("span", { class: "glyph", "aria-hidden": "true" }, states[cell.state].glyph),
      !isBeyond(cell.state) && h("span", { class: "numbers", "aria-hidden": "true" }, cell.held === cell.asked ? String(cell.asked) : `${cell.held}/${cell.asked}`)));
}

export class QuestionTable {
  readonly element: HTMLElement;
  private readonly rows = new Map<string, HTMLElement>();
  private readonly body = h("tbody", { role: "rowgroup" });
  private readonly head = h("thead", { role: "rowgroup" });
  private open: { row: HTMLElement; from: string } | undefined;
  private visible: number[];

  constructor(private readonly columns: number[], label: string) {
    this.visible = columns;
    this.element = h("table", { class: "questions", role: "table", "aria-label": label }, this.head, this.body);
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.show({ words: "", states: new Set(), product: "" });
  }

  /** Draws the rows that fit; how many there are. */
  show(filter: Filter): number {
    this.visible = filter.product ? ofProduct(this.columns, filter.product) : this.columns;
    this.close();
    this.element.style.setProperty("--columns", String(this.visible.length));
    // Upright heads need no width: a name that breaks amid a word cannot be read.
    this.element.classList.toggle("upright", this.visible.length > mostAcross);
    this.drawHead();
    this.rows.clear();
    this.body.replaceChildren();
    let last = "";
    for (const question of page.questions.filter((each) => this.fits(each, filter))) {
      if (question.family !== last) this.body.append(this.familyRow(question.family));
      last = question.family;
      this.body.append(this.row(question));
    }
    return this.rows.size;
  }

  /** Opens a cell, if it is in the table. */
  select(place: number, check: string): boolean {
    const row = this.rows.get(check), question = page.questions.find((each) => each.check === check);
    if (!row || !question || !this.visible.includes(place)) return false;
    this.close(false);
    const content = detail(question, place, () => this.close());
    const holder = h("tr", { class: "opened", role: "row" }, h("td", { role: "cell", colspan: this.visible.length + 1 }, content));
    row.after(holder);
    row.querySelector(`.of-${place} a`)?.setAttribute("aria-current", "true");
    this.open = { row: holder, from: `.of-${place} a` };
    // Below the head of the table, so that the answer has the rest of the screen.
    row.scrollIntoView({ block: "start" });
    content.querySelector("h3")!.focus({ preventScroll: true });
    return true;
  }

  private close(keepsFocus = true): void {
    if (!this.open) return;
    const row = this.open.row.previousElementSibling;
    const cell = row?.querySelector<HTMLElement>(this.open.from);
    const had = this.open.row.contains(document.activeElement);
    this.open.row.remove();
    this.open = undefined;
    cell?.removeAttribute("aria-current");
    if (keepsFocus && had) {
      history.replaceState(null, "", location.pathname + location.search);
      cell?.focus();
    }
  }

  private fits(question: Question, filter: Filter): boolean {
    const cells = this.visible.map((place) => question.cells[place]!);
    if (filter.states.size && !cells.some((cell) => filter.states.has(cell.state))) return false;
    if (cells.every((cell) => cell.state === "not_asked")) return false;
    const text = `${question.check} ${question.question} ${question.says} ${cells.flatMap((cell) => cell.causes).map((place) => page.causes[place]!.title).join(" ")}`;
    return filter.words.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));
  }

  private drawHead(): void {
    const groups = products(this.visible).map((product) => ofProduct(this.visible, product));
    this.head.replaceChildren(
      h("tr", { role: "row", class: "products" }, h("th", { role: "columnheader", scope: "col" }, h("span", { class: "visually-hidden" }, "Question")),
        groups.map((places) => {
          const tuner = page.tuners[places[0]!]!;
          const versions = new Set(places.map((place) => page.tuners[place]!.version));
          const th = h("th", { role: "columnheader", scope: "colgroup", colspan: places.length, "aria-colspan": places.length },
            h("span", { class: "product" }, tuner.product), versions.size === 1 && h("span", { class: "version" }, tuner.version));
          th.style.setProperty("--span", String(places.length));
          return th;
        })),
      h("tr", { role: "row", class: "devices" }, h("th", { role: "columnheader", scope: "col" }, h("span", { class: "visually-hidden" }, "Device")),
        groups.flatMap((places) => places.map((place, at) =>
          h("th", { role: "columnheader", scope: "col", class: at === 0 ? "first" : undefined, title: `${fullName(page.tuners[place]!)}: ${page.tuners[place]!.adapter} on ${page.tuners[place]!.device}` },
            h("span", { class: "narrow" }, page.tuners[place]!.product, " ", h("span", { class: "version" }, shortVersion(page.tuners[place]!.version), " ")), columnName(place))))));
  }

  private familyRow(name: string): HTMLElement {
    return h("tr", { role: "row", class: "family" }, h("th", { role: "rowheader", scope: "rowgroup", colspan: this.visible.length + 1, "aria-colspan": this.visible.length + 1 }, family(name), h("span", { class: "muted" }, ` ${name}`)));
  }

  private row(question: Question): HTMLElement {
    const row = h("tr", { role: "row", id: `question/${question.check}` },
      h("th", { role: "rowheader", scope: "row" }, question.question || question.says || question.check, h("code", {}, question.check)),
      this.visible.map((place) => answer(place, question)));
    this.rows.set(question.check, row);
    return row;
  }
}
