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
}

/** The packs, as the build writes them: their hashes, by six digits each, and a module of its own for the words of each. */
declare module "toolsift:pack-index" {
  /** The tables of what people say for the words of tools, each a text in a module of its own. */
  export const TRANSLATIONS: readonly {
    readonly language: string;
    readonly key: string;
    readonly load: () => Promise<unknown>;
  }[];
  export const PACKS: readonly {
    readonly name: string;
    readonly tools: number;
    readonly bytes: number;
    readonly hashes: string;
    /** Digits of the hashes of names, by three. */
    readonly names: string;
    /** The symbol of the global object under which the module leaves the words. */
    readonly key: string;
    readonly load: () => Promise<unknown>;
  }[];
}

/** What writes words, or nothing where a program is one file for the edge: `imports` of the package chooses. */
declare module "toolsift:background" {
  export const Background: typeof import("../author/background/background.js").Background;
}

/** The packs, or none where a program is one file for the edge: `imports` of the package chooses. */
declare module "toolsift:packs" {
  export const packsFor: typeof import("../packs/index.js").packsFor;
  export const translations: typeof import("../packs/index.js").translations;
}
