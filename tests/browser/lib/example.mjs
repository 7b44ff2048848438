/** The example catalog as a file that a visitor brings, and as the servers that the page makes of it. */

import { readFileSync } from "node:fs";
import { ToolSift } from "toolsift";
import { packsFor } from "toolsift/packs";
import { dropFiles, finished } from "./browser.mjs";

const text = readFileSync(new URL("../../../www/src/data/example-catalog.json", import.meta.url), "utf8");

/** One list per server, in the order of the file. */
export const exampleServers = [...group(JSON.parse(text))].map(([server, tools]) => ({ server, tools }));

/** The package with the same catalog, as the page opens it. */
export function filled(options) {
  const sift = new ToolSift({ contextWindow: 200_000, ...options });
  for (const { server, tools } of exampleServers) sift.register(tools, { server });
  return sift;
}

/** The same with the words of packs, which the page adds. */
export async function filledWithWords() {
  const sift = new ToolSift({ contextWindow: 200_000 });
  for (const { server, tools } of exampleServers) {
    const { entries } = await packsFor(tools);
    sift.register(tools, { server, enrichment: entries });
  }
  return sift;
}

/** Drops the catalog on the page and waits until it has taken the place of the one before, with its words. */
export async function dropExample(page) {
  await dropFiles(page, [{ name: "catalog.json", text }]);
  await page.locator("[data-menu=catalog] .menu-main", { hasText: "60\u00a0tools" }).waitFor();
  await finished(page);
}

function group(tools) {
  const servers = new Map();
  for (const tool of tools) servers.set(tool.server, [...(servers.get(tool.server) ?? []), tool]);
  return servers;
}
