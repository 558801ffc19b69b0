// What html_state() puts into the page. Everything that is counted or concluded is in it already;
// the page draws it.

export type State = "held" | "other_policy" | "never_said" | "unexplained" | "broken_promise" | "failed" | "no_evidence" | "not_testable" | "not_asked";
export type Kind = "broken_promise" | "other_policy" | "never_said";

export interface Tuner {
  slug: string;
  adapter: string;
  product: string;
  version: string;
  backend: string;
  device: string;
  card: string;
  dates: string;
  tunecheck: string;
  own: boolean;
  did_not_run: string;
  incomplete: string;
  states: Record<State, number>;
  verdicts: Record<"pass" | "fail" | "known" | "unsupported" | "error", number>;
}

/** Numbers are places in `texts`, but for causes. */
export interface Failure {
  scenario: number;
  verdict: string;
  reached: boolean;
  causes: number[];
  expected: number;
  observed: number;
  reason: number;
  link: number;
  until: number;
  at_times: number;
}

export interface Cell {
  state: State;
  held: number;
  asked: number;
  causes: number[];
  reason: string;
  failed: Failure[];
  held_in: number[];
  lacking: [number, number][];
}

export interface Question {
  check: string;
  family: string;
  question: string;
  says: string;
  cells: Cell[];
}

export interface Cause {
  name: string;
  product: string;
  title: string;
  kind: Kind;
  promise: string;
  finding: string;
  scripts: string[];
  upstream: { link: string; state: string; says: string }[];
  looked_at: string;
  since: string;
  fixed_in: string;
  columns: { tuner: number; scenarios: string[] }[];
  checks: string[];
}

export interface Gap {
  reason: string;
  scenarios: number[];
}

interface Page {
  version: string;
  tuners: Tuner[];
  questions: Question[];
  causes: Cause[];
  gaps: Gap[];
  texts: string[];
}

const read = <T>(id: string): T => JSON.parse(document.getElementById(id)!.textContent!) as T;

export const page = read<Page>("state");
export const findings = read<Record<string, string>>("findings");
export const text = (place: number): string => page.texts[place] ?? "";

/** Places of the columns of other people's tuners, by product; and of our own. */
export const others = columns((tuner) => !tuner.own);
export const own = columns((tuner) => tuner.own);

function columns(wanted: (tuner: Tuner) => boolean): number[] {
  const places = page.tuners.map((_, place) => place).filter((place) => wanted(page.tuners[place]!));
  const order = [...new Set(places.map((place) => page.tuners[place]!.product))];
  return places.sort((a, b) => order.indexOf(page.tuners[a]!.product) - order.indexOf(page.tuners[b]!.product) || a - b);
}

export const products = (places: number[]): string[] => [...new Set(places.map((place) => page.tuners[place]!.product))];
export const ofProduct = (places: number[], product: string): number[] => places.filter((place) => page.tuners[place]!.product === product);

/** What tells this column from the others of its product: the card, and the adapter if there are several. */
export function columnName(place: number): string {
  const tuner = page.tuners[place]!;
  const siblings = page.tuners.filter((other) => other.product === tuner.product && other.own === tuner.own);
  const several = new Set(siblings.map((other) => other.adapter)).size > 1;
  const plain = siblings[0]!.adapter === tuner.adapter;
  const versions = new Set(siblings.map((other) => other.version)).size > 1;
  return [several && !plain ? tuner.adapter.replace(`${siblings[0]!.adapter}_`, "") : "", tuner.card, tuner.backend !== "cpu" && tuner.backend !== "cuda" ? tuner.backend : "", versions ? tuner.version : ""].filter(Boolean).join(" ");
}

export const fullName = (tuner: Tuner): string => `${tuner.product} ${tuner.version}`.trim();
