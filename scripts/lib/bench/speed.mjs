/** Measures how fast toolsift is beside other libraries, at several sizes of catalog, and whether its aims are reached. */

import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { aimsOf, printAims } from "./speed/aims.mjs";
import { measureExtras } from "./speed/extras.mjs";
import { versionsOf } from "./speed/peers.mjs";
import { printSize } from "./speed/print.mjs";
import { measureSize } from "./speed/size.mjs";

export const title = "toolsift beside other search libraries";

/** The load of each processor from which figures are noisy. */
const BUSY = 0.7;

/** Every part answers `problems`; missing an aim is one only where the command line says so. */
export async function measure(wanted) {
  const [load] = loadavg();
  const sizes = [];
  for (const tools of wanted.sizes) sizes.push(await measureSize(tools, wanted));
  const extras = await measureExtras(wanted);
  const measured = { machine: { ...machine(), load }, data: wanted.data ?? null, versions: versionsOf(wanted.peers), sizes, ...extras };
  const aims = aimsOf(measured);
  const missed = aims.filter(({ reached }) => reached === false);
  const problems = wanted.strict && missed.length > 0 ? [`${missed.length} of ${aims.length} aims missed`] : [];
  return { ...measured, aims, problems };
}

const machine = () => ({
  node: process.version,
  system: `${platform()} ${arch()}`,
  processor: `${cpus().length} x ${cpus()[0]?.model.trim()}`,
  memory: totalmem(),
});

export function print({ machine, versions, sizes, aims }) {
  console.log(`\n${machine.processor}, Node ${machine.node}, ${machine.system}`);
  if (machine.load > BUSY * cpus().length) console.log(`the machine was busy: load average ${machine.load.toFixed(1)}`);
  const libraries = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  if (libraries.length > 0) console.log(libraries.join(", "));
  sizes.forEach(printSize);
  printAims(aims);
}
