/** The compiled wasm file, in runtimes that can import it. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "toolsift:hex";

/** The word packs as the build writes them: six digits of each hash, and a separate module with the words of each pack. */
declare module "toolsift:pack-index" {
  /** The translations from everyday words to words of tools. Each is a text in a module of its own. */
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
    /** The first three digits of each name's hash, in one text. */
    readonly names: string;
    /** The key of the symbol under which the module stores the words on the global object. */
    readonly key: string;
    readonly load: () => Promise<unknown>;
  }[];
}
