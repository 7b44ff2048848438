/** Every runtime and way of loading in which the package must run, in the order of the table. */

import { bun } from "./kinds/bun.mjs";
import { esbuild, rollup, webpack } from "./kinds/bundlers.mjs";
import { deno } from "./kinds/deno.mjs";
import { edgeRuntime } from "./kinds/edge-runtime.mjs";
import { miniflare } from "./kinds/miniflare.mjs";
import { next } from "./kinds/next.mjs";
import { nodeHere, nodes } from "./kinds/node.mjs";
import { scriptTag, slim } from "./kinds/plain.mjs";
import { python } from "./kinds/python.mjs";
import { rust } from "./kinds/rust.mjs";
import { viteBuild, viteDev, webWorker } from "./kinds/vite.mjs";
import { workerd } from "./kinds/workerd.mjs";

const servers = [bun, deno, workerd, miniflare, edgeRuntime, ...next, python, rust];
const pages = [viteBuild, viteDev, webWorker, webpack, esbuild, rollup, scriptTag, slim];

/** All of them. */
export const KINDS = [...nodes, ...servers, ...pages];

/** What `npm test` tries: the wasm as text, and as a module. */
export const BRIEF = [...nodeHere, workerd];

/** What `npm run test:all` tries: what needs nothing beyond the packages of the workspace, once for every engine. */
export const SHORT = [...nodeHere, bun, deno, workerd, viteBuild];
