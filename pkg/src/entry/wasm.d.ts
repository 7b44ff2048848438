/** The wasm file, as runtimes that import it hand it out. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "toolsift:hex";

/** The package itself, as a program that imports it gets it: with the wasm of the runtime that it runs in. */
declare module "toolsift:self" {
  export const ToolSift: typeof import("../index.js").ToolSift;
  export const definitionHash: typeof import("../index.js").definitionHash;
}
