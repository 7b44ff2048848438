/** Measures how fast toolsift is beside other libraries, at several sizes of catalog. */

import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { DOCUMENT, withTable } from "./speed/document.mjs";
import { COLD_TOOLS, measureExtras, SYNC_TOOLS } from "./speed/extras.mjs";
import { versionsOf } from "./speed/peers.mjs";
import { ms, printSize } from "./speed/print.mjs";
import { measureSize, shown } from "./speed/size.mjs";

export const title = "toolsift beside other search libraries";

/** The load of each processor from which figures are noisy. */
const BUSY = 0.7;

/** A whole run takes minutes: without `json`, each size is printed as soon as it is measured. */
export async function measure(wanted) {
  const about = { machine: machine(), versions: versionsOf(wanted.peers) };
  if (!wanted.json) printAbout(about);
  const sizes = [];
  for (const tools of wanted.sizes) {
    sizes.push(await measureSize(tools, wanted));
    if (!wanted.json) printSize(sizes.at(-1));
  }
  const measured = { ...about, sizes, ...(await measureExtras(wanted)) };
  if (wanted.update) writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, "utf8"), measured, today()));
  return measured;
}

const today = () => new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

const machine = () => ({
  node: process.version,
  system: `${platform()} ${arch()}`,
  processor: `${cpus().length} x ${cpus()[0]?.model.trim()}`,
  memory: totalmem(),
  load: loadavg()[0],
});

function printAbout({ machine: { processor, node, system, load }, versions }) {
  console.log(`\n${processor}, Node ${node}, ${system}`);
  if (load > BUSY * cpus().length) console.log(`the machine is busy: load average ${load.toFixed(1)}`);
  const libraries = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  if (libraries.length > 0) console.log(libraries.join(", "));
}

/** What belongs to no size; the sizes are printed already. */
export function print({ sync, cold }) {
  const shownMs = (value, skipped) => (value === undefined ? skipped : `${ms(value)} ms`);
  console.log(`\nsync of one tool among ${shown(SYNC_TOOLS)}: ${shownMs(sync.sync?.p50, sync.skipped)}`);
  for (const runtime of ["node", "workerd"]) {
    const { cpu, skipped } = cold[runtime];
    const what = `import, load of an index of ${shown(COLD_TOOLS)} tools and first search in ${runtime}`;
    console.log(`${what}: ${shownMs(cpu, skipped)}${skipped === undefined ? " of CPU" : ""}`);
  }
}
