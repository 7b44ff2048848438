/** Runs the package in the three maintained versions of Node, each from its npm package. */

import { join } from "node:path";
import { LOADERS, nodeKind } from "../../../tests/runtimes/lib/kinds/node.mjs";
import { inside } from "../../../tests/runtimes/lib/programs.mjs";
import { provideTools } from "../tools.mjs";

async function nodeOf(major) {
  const home = join(await provideTools(), "node_modules", `node-${major}-${process.platform}-${process.arch}`);
  return inside(home, ["bin", "node"], `Node ${major}`);
}

export const nodes = [20, 22, 24].flatMap((major) =>
  Object.keys(LOADERS).map((loader) => nodeKind(`node${major}-${loader}`, loader, `Node ${major}`, () => nodeOf(major))),
);
