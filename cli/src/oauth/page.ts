/** The page that the browser shows after a sign-in. */

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as HTML text or as the value of an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ENTITIES[one]!);
}

/** A plain page with a title and one paragraph. Both are escaped. It loads nothing and runs nothing. */
export function page(title: string, text: string): string {
  const style = "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(title)}</title><style>${style}</style></head>`,
    `<body><h1>${escaped(title)}</h1><p>${escaped(text)}</p></body></html>`,
  ].join("\n");
}

/** The headers of such a page. The address in the browser holds the code, so that it is not passed on as a referrer. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  connection: "close",
};
