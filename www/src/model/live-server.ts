/** What the page makes of the address of a live MCP server, and of its refusals. */

/** The address that somebody typed, or what is wrong with it. */
export function readUrl(text: string): { url: URL } | { problem: string } {
  const written = text.trim();
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { problem: `“${written.slice(0, 80)}” is not the address of a server: it begins with https:// or http://.` };
  }
  return { url };
}

/** The address without what may be secret. */
export function shownUrl(url: URL): string {
  return url.origin + url.pathname;
}

/** The name that the server gets: the part of its host that tells it from others. */
export function nameOfUrl(url: URL): string {
  const parts = url.hostname
    .split(".")
    .filter((part) => !["mcp", "www", "api", "com", "dev", "io", "ai", "net", "org"].includes(part));
  return /^[\d.]+$/.test(url.hostname) ? url.hostname : (parts.at(-1) ?? url.hostname).slice(0, 60);
}

/** The line that writes the server's tools into a file, where the browser may not ask it. */
export function exportLine(url: URL, hasToken: boolean): string {
  const header = hasToken ? " --header 'Authorization: Bearer ${TOKEN}'" : "";
  return `npx toolsift tools '${url.href.replaceAll("'", "%27")}'${header} > tools.json`;
}

/** Why a server gave no tools, in words. */
export function whyNot(error: unknown, hasToken: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/\b401\b|unauthor/i.test(message)) {
    return hasToken ? "The server does not accept the token." : "The server wants a bearer token.";
  }
  if (/failed to fetch|networkerror|load failed|fetch failed/i.test(message)) {
    return "The server does not answer, or it does not allow web pages to ask it (CORS).";
  }
  if (/timed? ?out|timeout/i.test(message)) return "The server did not answer in time.";
  return `The server refused: ${message.slice(0, 300)}`;
}
