// What states, kinds, families and reasons are called.
import { h } from "../dom";
import { type Kind, type State } from "./data";

interface Word {
  glyph: string;
  /** As a label. */
  short: string;
  /** As a sentence of the legend. */
  long: string;
}

/** No state is told by its colour alone. In the order of the legend. */
export const states: Record<State, Word> = {
  held: { glyph: "✓", short: "yes", long: "held in every scenario that could be asked" },
  broken_promise: { glyph: "✕", short: "breaks its promise", long: "fails, against what its own documentation or source says" },
  failed: { glyph: "‼", short: "fails, not explained", long: "fails, and nobody has looked into it yet" },
  never_said: { glyph: "○", short: "no, never said", long: "fails what we ask; the tuner says nothing about it" },
  other_policy: { glyph: "◐", short: "another policy", long: "fails what we ask; the tuner decided otherwise, or documents it" },
  unexplained: { glyph: "≈", short: "fails as known", long: "fails as a mark says; its cause is not listed" },
  no_evidence: { glyph: "?", short: "no evidence", long: "the judge could not tell" },
  not_testable: { glyph: "–", short: "not testable", long: "the tuner or the device does not have what is asked about" },
  not_asked: { glyph: "·", short: "not asked", long: "no scenario of these results asks it" },
};

export const kinds: Record<Kind, string> = {
  broken_promise: "breaks its own promise",
  other_policy: "follows another policy",
  never_said: "never said anything about it",
};

/** Causes in the order in which a reader wants them. */
export const rank: Record<Kind, number> = { broken_promise: 0, never_said: 1, other_policy: 2 };

const families: Record<string, string> = {
  restore: "Does tuning leave my data alone?",
  validity: "Can a wrong or broken config win?",
  reload: "Does a winner come back from disk?",
  invalidation: "Is a winner forgotten exactly when it must be?",
  concurrency: "What if many ask at once?",
  faults: "What if files, disks or processes break?",
  growth: "Does it stay small and fast?",
  quality: "Is the winner good, and the timing fair?",
  agreement: "Do processes agree?",
  turn: "Does it tune when it is its turn?",
  gpu: "What about graphs, contexts and GPU memory?",
  adapter: "Does it answer at all?",
};
export const family = (name: string): string => families[name] ?? name;

/** "capability threads" in words; other reasons are sentences already. */
export function lack(reason: string): string {
  const [what, ...names] = reason.split(" ");
  const name = names.join(" ");
  if (names.length !== 1) return reason;
  if (what === "capability") return `the tuner does not offer “${name}”`;
  if (what === "kernel") return `the kernel ${name} does not exist for this tuner`;
  if (what === "policy") return `the tuner has no policy “${name}”`;
  if (what === "backend") return `it does not run on “${name}”`;
  return reason;
}

export const counted = (number: number, noun: string): string => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

export const stateBadge = (state: State): HTMLElement =>
  h("span", { class: `sign ${state}` }, h("span", { "aria-hidden": "true" }, states[state].glyph), " ", states[state].short);

export const kindBadge = (kind: Kind): HTMLElement =>
  h("span", { class: `sign ${kind}` }, h("span", { "aria-hidden": "true" }, states[kind].glyph), " ", kinds[kind]);
