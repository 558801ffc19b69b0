import { index } from "./data";
import { h, nothing, type Child } from "./dom";

export function historyPage(): Child[] {
  if (index.histories === 0) return [h("h1", {}, "History"), nothing("This report has no history; `tunecheck history` keeps one.")];
  return [];
}
