// What every view says first: the verdict, and the five answers. The program has worked them out
// (reports/summary/brief.hpp); here they are only shown.
import { bar } from "./badge";
import { index, type Brief, type Kind, type Row, type VerdictLine } from "./data";
import { breakable, copyable, h, outside, table, type Child } from "./dom";
import { address } from "./route";
import { countsOf } from "./row";

/** "NO NEW FAILURE" is "No new failure": capitals shout on a page. */
export const wordOf = ({ word }: VerdictLine): string => word[0] + word.slice(1).toLowerCase();

/** A name such as sort/64 or inputs.pristine is not a word, and keeps its letters. */
export const sentence = (text: string): string => (text ? `${/^[a-z][a-z']*[ ,;:]/.test(text) || /^[a-z][a-z']*$/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text}${/[.?!]$/.test(text) ? "" : "."}` : "");

const signs: Record<VerdictLine["standing"], string> = { good: "✓", known: "≈", open: "?", bad: "✕", untrusted: "!" };

export const standing = (verdict: VerdictLine): HTMLElement =>
  h("span", { class: `badge ${verdict.standing}` }, h("span", { class: "glyph", "aria-hidden": "true" }, signs[verdict.standing]), wordOf(verdict));

export const briefOf = (kind: Kind, number: number): Brief => index.briefs.find((brief) => brief.kind === kind && brief.number === number)!;

/** The verdict, and what else belongs to it at the top. */
export const headline = (verdict: VerdictLine, what: string, ...more: Child[]): HTMLElement =>
  h("section", { class: `verdict ${verdict.standing}` }, what && h("p", { class: "muted what" }, what), h("h1", {}, wordOf(verdict)), h("p", { class: "lead" }, sentence(verdict.sentence)), more);

/** What broke, why, since when, whose, what to do. */
export function answers(brief: Brief): HTMLElement {
  const row = (name: string, ...content: Child[]): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, content));
  return h("dl", { class: `answers ${brief.verdict.standing}` },
    row("What broke", breakable(sentence(brief.broke))), row("Why", breakable(sentence(brief.why))),
    row("Since when", breakable(sentence(brief.since)), brief.compare && [" ", h("a", { href: brief.compare, rel: "noreferrer" }, "The commits between them")]),
    row("Whose", linked(sentence(brief.whose))),
    row("What to do", linked(sentence(brief.next)), brief.command && copyable(brief.command)));
}

/** Addresses in a sentence are links. */
const linked = (text: string): Child => text.split(/(https?:\/\/[^\s,;()]+[^\s,;().])/).map((part) => (/^https?:/.test(part) ? outside(part) : breakable(part)));

const viewOf: Record<Kind, string> = { run: "scenarios", gate: "gate", watch: "watch", audit: "audit", history: "history" };

/** A run is told from others in the list of scenarios; documents of another kind have one page, one below the other. */
function addressOf(brief: Brief): string {
  const hasSeveral = index.briefs.filter(({ kind }) => kind === brief.kind).length > 1;
  return address([viewOf[brief.kind]], hasSeveral ? { [brief.kind === "run" ? "run" : "document"]: brief.number } : {});
}

/** Every document of the report with its verdict. */
export const ledger = (): HTMLElement =>
  h("section", {}, h("h2", {}, "In this report"),
    table(["verdict", "of", "what was judged", "in short"], index.briefs.map((brief) => [
      standing(brief.verdict), h("a", { href: addressOf(brief) }, brief.kind), breakable(brief.subject), breakable(sentence(brief.verdict.sentence))]), "Verdicts of all documents"));

const words: [keyof ReturnType<typeof countsOf>, string, string][] = [["fail", "failed", "failed"], ["error", "could not be judged", "could not be judged"], ["pass", "held", "held"], ["known", "known failure", "known failures"], ["unsupported", "not testable here", "not testable here"]];

/** Scenarios by verdict, as a bar and in words, each a link to them. */
export function tally(rows: Row[], query: Record<string, string | number> = {}): HTMLElement | false {
  if (rows.length === 0) return false;
  const counts = countsOf(rows);
  return h("div", { class: "tally" }, bar(counts),
    h("p", {}, words.filter(([verdict]) => counts[verdict]).map(([verdict, one, many]) => h("a", { class: verdict, href: address(["scenarios"], { ...query, verdict }) }, h("b", {}, counts[verdict]!.toLocaleString("en")), ` ${counts[verdict] === 1 ? one : many}`))));
}
