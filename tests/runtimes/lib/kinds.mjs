/** Lists the runtimes in which the tests run the package. `npm run runtimes` tries more of them (lab/runtimes/kinds.mjs). */

import { bun } from "./kinds/bun.mjs";
import { deno } from "./kinds/deno.mjs";
import { nodeHere } from "./kinds/node.mjs";
import { viteBuild } from "./kinds/vite.mjs";
import { workerd } from "./kinds/workerd.mjs";

/** What `npm test` tries: the wasm as text, and as a module. */
export const BRIEF = [...nodeHere, workerd];

/** What `npm run test:all` tries: what needs nothing beyond the packages of the workspace, once for every engine. */
export const SHORT = [...nodeHere, bun, deno, workerd, viteBuild];
