// Each tuner on one card: how many questions it answers well in each column, and by how many causes
// it fails the others.
import { type Child, h } from "../dom";
import { type Cause, columnName, type Kind, ofProduct, others, page, products, type State, type Tuner } from "./data";
import { counted, kinds, states } from "./words";

const parts: State[] = ["held", "other_policy", "never_said", "unexplained", "broken_promise", "failed", "no_evidence"];

export const causesOf = (product: string): Cause[] => page.causes.filter((cause) => cause.product === product && cause.columns.some(({ tuner }) => !page.tuners[tuner]!.own));

const asked = (tuner: Tuner): number => parts.reduce((sum, state) => sum + tuner.states[state], 0);

function bar(tuner: Tuner): HTMLElement {
  const words = parts.filter((state) => tuner.states[state]).map((state) => `${tuner.states[state]} ${states[state].short}`).join(", ");
  return h("div", { class: "share", role: "img", "aria-label": words, title: words }, parts.filter((state) => tuner.states[state]).map((state) => {
    const part = h("span", { class: state });
    part.style.flexGrow = String(tuner.states[state]);
    return part;
  }));
}

function column(place: number): HTMLElement {
  const tuner = page.tuners[place]!;
  if (tuner.did_not_run) return h("li", {}, h("span", { class: "card-name" }, columnName(place)), ` did not run: ${tuner.did_not_run}`);
  return h("li", {},
    h("div", { class: "line" }, h("span", { class: "card-name" }, columnName(place)),
      h("span", { class: "small" }, h("strong", {}, tuner.states.held), ` of ${asked(tuner)} hold`)),
    bar(tuner),
    tuner.incomplete && h("span", { class: "small muted" }, tuner.incomplete));
}

function causeLine(product: string): Child {
  const causes = causesOf(product);
  if (!causes.length) return h("p", { class: "small muted" }, "No causes are listed.");
  const counts = (["broken_promise", "never_said", "other_policy"] as Kind[]).map((kind) => [kind, causes.filter((cause) => cause.kind === kind).length] as const);
  return h("ul", { class: "plain small kinds" }, counts.filter(([, count]) => count).map(([kind, count]) =>
    h("li", {}, h("span", { class: `sign ${kind}` }, h("span", { "aria-hidden": "true" }, states[kind].glyph), ` ${count}`), ` ${kind === "broken_promise" ? (count === 1 ? "breaks a promise" : "break a promise") : kind === "never_said" ? "never said" : kinds[kind].replace("follows ", "")}`)));
}

export function glance(pick: (product: string) => void): HTMLElement {
  return h("div", { class: "tuners" }, products(others).map((product) => {
    const places = ofProduct(others, product);
    const versions = [...new Set(places.map((place) => page.tuners[place]!.version))].join(", ");
    return h("article", { class: "tuner", "aria-label": product },
      h("h3", {}, product, " ", h("span", { class: "version" }, versions)),
      h("ul", { class: "plain columns" }, places.map(column)),
      causeLine(product),
      h("button", { type: "button", class: "link", click: () => pick(product) }, `Only ${product}`));
  }));
}

/** The page in two sentences. */
export function headline(): Child {
  const tuners = others.map((place) => page.tuners[place]!);
  const failures = tuners.reduce((sum, tuner) => sum + tuner.verdicts.known + tuner.verdicts.fail, 0);
  const answers = failures + tuners.reduce((sum, tuner) => sum + tuner.verdicts.pass, 0);
  const causes = products(others).flatMap(causesOf);
  const all = products(others).length;
  const withCauses = products(others).filter((product) => causesOf(product).length > 0).length;
  const broken = causes.filter((cause) => cause.kind === "broken_promise").length;
  return [
    h("p", { class: "lead" }, `${counted(products(others).length, "autotuner")}, asked the same questions, with evidence instead of their word for it. `,
      h("strong", {}, failures ? `${failures.toLocaleString("en")} of ${answers.toLocaleString("en")} scenario runs fail` : "Every scenario holds"),
      failures ? `. ${counted(causes.length, "cause")} explain those of ${counted(withCauses, "tuner")}${withCauses < all ? `; of the other ${all - withCauses} no causes are listed yet` : ""}. ` : ".",
      failures > 0 && h("strong", {}, broken === 1 ? "1 cause breaks a promise" : `${broken} causes break a promise`), failures > 0 && " that the tuner makes itself; the others are policies, or things that nobody ever said."),
  ];
}
