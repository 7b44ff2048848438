/** The tools that the parts index and sync are measured with: all at once, where the comparison reads them one by one. */

import { catalogsFor } from "./speed/material.mjs";

/** Catalogs `{ server, tools }` of exactly so many tools: those of a folder, or made-up ones. */
export const catalogsOf = (folder, count) => [...catalogsFor(folder, count)];

/** A `ToolSift` with these tools, in this order. */
export function built(ToolSift, catalogs) {
  const sift = new ToolSift();
  for (const { server, tools } of catalogs) sift.register(tools, { server });
  return sift;
}
