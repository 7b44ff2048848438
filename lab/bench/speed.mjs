/** Measures how fast toolsift is beside other libraries, at several sizes of catalog, and whether its aims are reached. */

import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { aimsOf, printAims } from "./speed/aims.mjs";
import { DOCUMENT, withTable } from "./speed/document.mjs";
import { measureExtras } from "./speed/extras.mjs";
import { versionsOf } from "./speed/peers.mjs";
import { printSize } from "./speed/print.mjs";
import { measureSize } from "./speed/size.mjs";

export const title = "toolsift beside other search libraries";

/** The load of each processor from which figures are noisy. */
const BUSY = 0.7;

/**
 * Every part answers `problems`; missing an aim is one only where the command line says so. A whole run takes minutes: without
 * `json`, each size is printed as soon as it is measured.
 */
export async function measure(wanted) {
  const about = { machine: machine(), data: wanted.data ?? null, versions: versionsOf(wanted.peers) };
  if (!wanted.json) printAbout(about);
  const sizes = [];
  for (const tools of wanted.sizes) {
    sizes.push(await measureSize(tools, wanted));
    if (!wanted.json) printSize(sizes.at(-1));
  }
  const measured = { ...about, sizes, ...(await measureExtras(wanted)) };
  if (wanted.update) writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, "utf8"), measured, today()));
  const aims = aimsOf(measured);
  const missed = aims.filter(({ reached }) => reached === false);
  const problems = wanted.strict && missed.length > 0 ? [`${missed.length} of ${aims.length} aims missed`] : [];
  return { ...measured, aims, problems };
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

/** The sizes are printed already. */
export const print = ({ aims }) => printAims(aims);
