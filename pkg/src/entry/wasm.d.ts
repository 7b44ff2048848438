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
