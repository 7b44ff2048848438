/** What would the model be sent of a tool that is held back? Its definition, read once for each state of the catalog. */

import { ask } from "./boundary.js";
import { core as glue } from "./core.js";
import type { Core, Host } from "./host.js";
import type { Assembly, JsonObject } from "./types.js";

/** As the vendor is sent them that holds tools back itself. */
const FORMAT = "anthropic";

const kept = new WeakMap<Host, { revision: number; byName: ReadonlyMap<string, JsonObject> }>();

/** Every definition of the catalog, by the name that the model sees. */
export function definitions(host: Host): ReadonlyMap<string, JsonObject> {
  return host.use((core) => {
    const revision = core.revision();
    const known = kept.get(host);
    if (known?.revision === revision) return known.byName;
    const byName = readAll(core, host);
    kept.set(host, { revision, byName });
    return byName;
  });
}

/** By a catalog of the same tools that holds nothing back, and is there for as long as this takes. */
function readAll(core: Core, host: Host): ReadonlyMap<string, JsonObject> {
  const { Core } = glue();
  const all = new Core({ ...host.settings, activation: "off" }, undefined);
  try {
    all.load(core.exportIndex());
    all.openSession("all", undefined);
    const { tools } = ask<Assembly>(() => all.assemble("all", { format: FORMAT }));
    return new Map(tools.map((tool) => [String(tool["name"]), tool]));
  } finally {
    all.free();
  }
}
