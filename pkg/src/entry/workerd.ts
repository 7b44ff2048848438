/** The entry for Cloudflare Workers and workerd, which compile a wasm file that is imported, and never bytes. */

import wasm from "./toolsift.wasm";
import { provide } from "../core/bindings.js";

provide(() => wasm);

export * from "../index.js";
