// What could not be tested, and why: no answer is not a good one.
import { h } from "../dom";
import { columnName, others, page } from "./data";
import { counted, lack } from "./words";

const most = 12;

export function gaps(): HTMLElement {
  return h("div", { class: "tuners" }, others.map((place) => {
    const tuner = page.tuners[place]!;
    const reasons = page.gaps.filter((gap) => gap.scenarios[place]).sort((a, b) => b.scenarios[place]! - a.scenarios[place]!);
    const total = reasons.reduce((sum, gap) => sum + gap.scenarios[place]!, 0);
    const items = reasons.map((gap) => h("li", {}, h("span", { class: "count" }, gap.scenarios[place]!), ` ${lack(gap.reason)}`));
    return h("details", { class: "tuner" },
      h("summary", {}, h("strong", {}, `${tuner.product} ${columnName(place)}`), ` ${counted(total, "scenario")}`),
      h("ul", { class: "plain small" }, items.slice(0, most)),
      items.length > most && h("details", {}, h("summary", {}, counted(items.length - most, "more reason")), h("ul", { class: "plain small" }, items.slice(most))));
  }));
}
