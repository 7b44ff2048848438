/** Reads lists of tools from the JSON files in a folder, in all usual forms. */

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Problem } from "./run.mjs";

/**
 * Returns the tool lists in a folder, sorted by file name, as `{ server, tools }`. A file holds a list, the result of
 * `tools/list`, its JSON-RPC answer, or the output of `scripts/capture.mjs`. Files without tools are skipped.
 */
export function readCatalogs(folder) {
  let names;
  try {
    names = readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    throw new Problem(`the folder ${folder} cannot be read: ${error.message}`);
  }
  const catalogs = names.flatMap((name) => {
    const tools = toolsIn(join(folder, name));
    return tools.length > 0 ? [{ server: basename(name, ".json"), tools }] : [];
  });
  if (catalogs.length === 0) throw new Problem(`${folder} holds no JSON file with a list of tools`);
  return catalogs;
}

/** Returns the tools in a file; an empty list if it has none. */
export function toolsIn(path) {
  let content;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Problem(`${path} is no JSON: ${error.message}`);
  }
  const tools = content?.result?.tools ?? content?.tools ?? content;
  return Array.isArray(tools) ? tools : [];
}
