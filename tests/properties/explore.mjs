import fc from "fast-check";
import { pathToFileURL } from "node:url";
import { appWith } from "../adapters/lib/app.mjs";
import { player } from "./lib/check.mjs";
import { edit } from "./lib/hostile.mjs";
const [file, runs = "200", only = "", seed = "1"] = process.argv.slice(2);
const { packages, targets, world, sparse } = await import(pathToFileURL(file).href);
const app = await appWith(packages);
for (const t of targets) {
  const label = `${t.names[0]} (${t.about ?? ""})`;
  if (!label.includes(only)) continue;
  const seen = new Map();
  let play;
  const t0 = process.cpuUsage();
  const samples = [[], ...fc.sample(fc.array(edit, { minLength: 1, maxLength: 3 }), { numRuns: +runs, seed: +seed })];
  for (const made of samples) {
    try { play ??= await player(t, () => world(app), sparse); await play(made); }
    catch (e) {
      const full = String(e?.stack ?? e);
      const key = full.split("\n").filter((l) => !/at .*tests\/properties|node:internal|at async|^\s*[+\-] |^$/.test(l)).slice(0, 5).join("\n").replace(/\/tmp\/[^ ]*node_modules\/toolsift\//g, "").replace(/file:\/\//g, "");
      const s = seen.get(key) ?? { n: 0, made };
      s.n++; seen.set(key, s);
      play = undefined;
    }
  }
  const { user } = process.cpuUsage(t0);
  console.log(`${seen.size ? "✗" : "✓"} ${label} ${(user / 1000).toFixed(0)} ms`);
  for (const [key, { n, made }] of [...seen].sort((a, b) => b[1].n - a[1].n).slice(0, 12)) console.log(`   [${n}] ${key.slice(0, 700)}\n       ${fc.stringify(made).slice(0, 250)}`);
}
process.exit(0);
