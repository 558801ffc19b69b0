import { type Verdict } from "./data";
import { h } from "./dom";

const glyphs: Record<string, string> = {
  pass: "✓", fail: "✕", error: "!", unsupported: "–", known: "≈",
  slower: "▲", more: "▲", faster: "▼", fewer: "▼", added: "+", removed: "–",
  improved: "✓", regression: "✕", inconclusive: "?", invalid: "!",
};

/** A verdict is never told by its colour alone. */
export const badge = (verdict: Verdict | string): HTMLElement =>
  h("span", { class: `badge ${verdict}` }, h("span", { class: "glyph", "aria-hidden": "true" }, glyphs[verdict] ?? "·"), verdict);

export const mark = (verdict: Verdict): HTMLElement =>
  h("span", { class: `mark ${verdict}`, role: "img", "aria-label": verdict, title: verdict }, glyphs[verdict]);

/** Counts by verdict as one bar of parts. */
export function bar(counts: Partial<Record<Verdict, number>>): HTMLElement {
  const parts = (["pass", "known", "unsupported", "error", "fail"] as Verdict[]).filter((verdict) => counts[verdict]);
  return h("span", { class: "bar", "aria-hidden": "true" }, parts.map((verdict) => {
    const part = h("span", { class: verdict });
    part.style.flexGrow = String(counts[verdict]);
    return part;
  }));
}
