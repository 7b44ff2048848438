/** Every module of targets. */

export * as core from "../targets/core.mjs";
export * as frameworks from "../targets/frameworks.mjs";
export * as parts from "../targets/parts.mjs";
export * as servers from "../targets/servers.mjs";
export * as vendors from "../targets/vendors.mjs";
export * as wire from "../targets/wire.mjs";
