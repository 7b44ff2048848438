/** Lists every runtime and way of loading that the package supports, in the order of the table. */

import { bun } from "../../tests/runtimes/lib/kinds/bun.mjs";
import { deno } from "../../tests/runtimes/lib/kinds/deno.mjs";
import { viteBuild } from "../../tests/runtimes/lib/kinds/vite.mjs";
import { workerd } from "../../tests/runtimes/lib/kinds/workerd.mjs";
import { esbuild, rollup, webpack } from "./kinds/bundlers.mjs";
import { edgeRuntime } from "./kinds/edge-runtime.mjs";
import { next } from "./kinds/next.mjs";
import { nodes } from "./kinds/nodes.mjs";
import { scriptTag, slim } from "./kinds/plain.mjs";
import { python } from "./kinds/python.mjs";
import { rust } from "./kinds/rust.mjs";
import { viteDev, webWorker } from "./kinds/vite.mjs";

const servers = [bun, deno, workerd, edgeRuntime, ...next, python, rust];
const pages = [viteBuild, viteDev, webWorker, webpack, esbuild, rollup, scriptTag, slim];

export const KINDS = [...nodes, ...servers, ...pages];
