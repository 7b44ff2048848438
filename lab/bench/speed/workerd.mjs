/**
 * One cold start in workerd. A worker's own clock stands still while it computes, so the CPU time of its process is read
 * from the operating system: that of a worker which loads toolsift, less that of the same worker without it.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configOf } from "../../../tests/runtimes/lib/worker.mjs";
import { programOf } from "../../../tests/runtimes/lib/programs.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { cpuOf } from "./cpu.mjs";

const EMPTY = `export default { fetch: () => Response.json({ hits: 1 }) };\n`;

const WITH_TOOLSIFT = (query) => `import { ToolSift } from "toolsift";
import index from "index.bin";
export default {
  fetch: () => Response.json({ hits: ToolSift.fromIndex(index).search(${JSON.stringify(query)}).hits.length }),
};
`;

/** Writes a worker with the package and the index, and an empty one. Answers the folders of both. */
export function writeWorker(folder, { index, query }) {
  const dist = at("pkg", "dist");
  const parts = readdirSync(dist).filter((name) => /^shared-.*\.js$/.test(name) || name === "toolsift.wasm");
  const modules = parts.map((name) => [name, join(dist, name)]);
  modules.push(["toolsift", join(dist, "workerd.js")], ["index.bin", index]);
  return {
    full: written(join(folder, "worker"), WITH_TOOLSIFT(query), modules),
    empty: written(join(folder, "empty-worker"), EMPTY, []),
  };
}

/** workerd reads the files of its modules beside its configuration. */
function written(folder, source, modules) {
  mkdirSync(folder);
  writeFileSync(join(folder, "worker.mjs"), source);
  modules.forEach(([name, path]) => copyFileSync(path, join(folder, name)));
  const files = ["worker.mjs", ...modules.map(([name]) => name)];
  writeFileSync(join(folder, "config.capnp"), configOf(files.map((name) => [name, name])));
  return folder;
}

/** `{ cpu, wall }` in milliseconds, from the start of the process to the answer to its first request. */
export async function coldInWorkerd({ full, empty }) {
  const base = await answered(empty);
  const { cpu, wall } = await answered(full);
  return { cpu: cpu - base.cpu, wall: wall - base.wall };
}

async function answered(folder) {
  const begin = performance.now();
  const stdio = ["ignore", "ignore", "pipe", "pipe"];
  const child = spawn(programOf("workerd").file, ["serve", "config.capnp", "--control-fd=3"], { cwd: folder, stdio });
  let complaints = "";
  child.stderr.on("data", (text) => (complaints += text));
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`workerd ended: ${complaints.slice(0, 300)}`)));
  try {
    const [line] = await Promise.race([once(child.stdio[3], "data"), ended]);
    const response = await Promise.race([fetch(`http://127.0.0.1:${JSON.parse(String(line)).port}/`), ended]);
    if (!response.ok) throw new Error(`workerd answered ${response.status}: ${complaints.slice(0, 300)}`);
    const { hits } = await response.json();
    const wall = performance.now() - begin;
    if (hits === 0) throw new Error("the first search in workerd found nothing");
    const cpu = cpuOf(child.pid);
    if (cpu === undefined) throw new Error("only Linux tells the CPU time of another process");
    return { cpu, wall };
  } finally {
    ended.catch(() => {});
    child.kill();
  }
}
