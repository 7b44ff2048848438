/** The entry point for Vercel's edge runtime and Next.js, which provide a compiled module for `?module`. */

import wasm from "./toolsift.wasm?module";
import { provide } from "../core/bindings.js";

provide(() => wasm);

export * from "../index.js";
