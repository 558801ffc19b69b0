// Quantities as text: three digits are enough to compare, and units stay readable.
const three = (value: number): string => {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
};

export function duration(ns: number): string {
  if (ns >= 60e9) return `${Math.floor(ns / 60e9)} min ${Math.round((ns % 60e9) / 1e9)} s`;
  if (ns >= 1e9) return `${three(ns / 1e9)} s`;
  if (ns >= 1e6) return `${three(ns / 1e6)} ms`;
  if (ns >= 1e3) return `${three(ns / 1e3)} µs`;
  return `${Number.isInteger(ns) ? ns : three(ns)} ns`;
}

/** A quantity in its unit; times are in ns. */
export const measure = (value: number, unit: string): string => (unit === "ns" ? duration(value) : `${count(value)} ${unit}`);

/** The middle of some numbers. */
export const middleOf = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** The unit that fits a time, for an axis: the median of what is drawn, which one slow config does not move. */
export function timeUnit(most_ns: number): { name: string; ns: number } {
  if (most_ns >= 1e9) return { name: "s", ns: 1e9 };
  if (most_ns >= 1e6) return { name: "ms", ns: 1e6 };
  if (most_ns >= 1e3) return { name: "µs", ns: 1e3 };
  return { name: "ns", ns: 1 };
}

export const count = (value: number): string => value.toLocaleString("en");

export const percent = (share: number): string => `${(share * 100).toFixed(Math.abs(share) < 0.1 ? 1 : 0)} %`;

/** 0.031 is "+3.1 %"; from three times as much on as a factor, "× 59.6": nobody can picture +5,858 %. */
export const change = (share: number): string => share + 1 >= 3 ? `× ${(share + 1).toPrecision(3)}` : `${share > 0 ? "+" : share < 0 ? "−" : "±"}${Math.abs(share) >= 1 ? count(Math.round(Math.abs(share) * 100)) : (Math.abs(share) * 100).toFixed(1)} %`;

export function quantity(value: number, unit: string): string {
  for (const [factor, prefix] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as const)
    if (value >= factor) return `${three(value / factor)} ${prefix}${unit}`;
  return `${three(value)} ${unit}`;
}

export const bytes = (kib: number): string => (kib >= 1 << 20 ? `${three(kib / (1 << 20))} GiB` : kib >= 1024 ? `${three(kib / 1024)} MiB` : `${kib} KiB`);

/** "2026-11-22T00:45:17Z" is "2026-11-22 00:45 UTC". */
export const moment = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, "$1 $2 UTC");
