// Every view has an address in the fragment: #/scenarios?verdict=fail&q=restore
export interface Route {
  parts: string[];
  query: URLSearchParams;
}

export function route(): Route {
  // The link that skips to the content has this address, which somebody may have kept.
  if (location.hash === "#main") return { parts: [], query: new URLSearchParams() };
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** A fragment that somebody cut or typed is no reason to fail. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function address(parts: string[], query: Record<string, string | number | undefined> = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${search ? `?${search}` : ""}`;
}
