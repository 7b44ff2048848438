/** `npm run bench`: measures the speed of toolsift and of other search libraries, with catalogs of several sizes. */

import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { build } from "../scripts/build.mjs";
import { isCommand, main, progressTo, step } from "../scripts/lib/progress.mjs";
import { benchOptions } from "./bench/options.mjs";
import { DOCUMENT, withTable } from "./bench/speed/document.mjs";
import { versionsOf } from "./bench/speed/peers.mjs";
import { printSize } from "./bench/speed/print.mjs";
import { measureSize } from "./bench/speed/size.mjs";
import { providePackages } from "./lib/packages.mjs";

/** If the load of a processor is higher than this, figures are noisy. */
const BUSY = 0.7;

if (isCommand(import.meta.url)) {
  const wanted = benchOptions();
  await main(async () => {
    progressTo(process.stderr);
    await providePackages();
    await build();
    const measured = await step("toolsift beside other search libraries", () => measure(wanted));
    if (wanted.json) console.log(JSON.stringify(measured, null, 2));
  });
}

/** Measures all sizes. A whole run takes minutes, so without `json` each size is printed immediately. */
async function measure(wanted) {
  const about = { machine: machine(), versions: versionsOf(wanted.peers) };
  if (!wanted.json) printAbout(about);
  const sizes = [];
  for (const tools of wanted.sizes) {
    sizes.push(await measureSize(tools, wanted));
    if (!wanted.json) printSize(sizes.at(-1));
  }
  const measured = { ...about, sizes };
  if (wanted.update) writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, "utf8"), measured, today()));
  return measured;
}

function today() {
  return new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

function machine() {
  return {
    node: process.version,
    system: `${platform()} ${arch()}`,
    processor: `${cpus().length} x ${cpus()[0]?.model.trim()}`,
    memory: totalmem(),
    load: loadavg()[0],
  };
}

function printAbout({ machine: { processor, node, system, load }, versions }) {
  console.log(`\n${processor}, Node ${node}, ${system}`);
  if (load > BUSY * cpus().length) console.log(`the machine is busy: load average ${load.toFixed(1)}`);
  const libraries = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  if (libraries.length > 0) console.log(libraries.join(", "));
}
