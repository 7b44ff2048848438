/** Checks every internal link of a built site: the file must exist, and the place in it. */

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";

const ENTITIES = { "&amp;": "&", "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">" };

/** An attribute's value as it is meant. */
const plain = (text) => text.replaceAll(/&(amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity]);

/**
 * The links that lead nowhere, as `{ page, link, why }`. `base` is the path under which the site is served, such as `/` or
 * `/toolsift/`; an address of the same host outside of it counts as broken.
 */
export function brokenLinks(folder, base = "/") {
  const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), "utf8")]));
  const ids = new Map();
  const idsOf = (page) => {
    if (!ids.has(page)) {
      const found = texts.get(page).matchAll(/ (?:id|name)="([^"]*)"/g);
      ids.set(page, new Set([...found].map(([, id]) => plain(id))));
    }
    return ids.get(page);
  };
  const broken = [];
  for (const [page, text] of texts) {
    const visible = text.replaceAll(/<script\b[^>]*>.*?<\/script>/gs, (script) => script.replace(/>.*/s, ">"));
    for (const [, raw] of visible.matchAll(/<[a-z][^>]*? (?:href|src)="([^"]*)"/g)) {
      const link = plain(raw);
      if (/^(https?:|mailto:|data:)/.test(link)) continue;
      const why = fault(folder, base, page, link, idsOf);
      if (why !== null) broken.push({ page, link, why });
    }
  }
  return broken;
}

/** Why a link leads nowhere, or null. */
function fault(folder, base, page, link, idsOf) {
  const [address, place] = link.split("#");
  const path = decodeURIComponent(address.replace(/\?.*/, ""));
  if (path.startsWith("/") && !path.startsWith(base)) return `is outside of ${base}`;
  let file = path.startsWith("/") ? path.slice(base.length) : posix.join(posix.dirname(page), path);
  if (path === "") file = page;
  const whole = join(folder, file);
  if (existsSync(whole) && statSync(whole).isDirectory()) file = posix.join(file, "index.html");
  if (!existsSync(join(folder, file))) return "there is no such file";
  // A place that begins with a slash is a view of a page that shows one at a time, and no element.
  if (!place || place.startsWith("/") || !file.endsWith(".html")) return null;
  return idsOf(file).has(decodeURIComponent(place)) ? null : "the page has no such place";
}
