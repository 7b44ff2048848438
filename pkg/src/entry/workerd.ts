/** The entry point for Cloudflare Workers and workerd, which compile imported wasm files only, never bytes. */

import wasm from "./toolsift.wasm";
import { provide } from "../core/bindings.js";

provide(() => wasm);

export * from "../index.js";
