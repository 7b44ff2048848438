/**
 * The types of all values that toolsift takes and returns: plain JSON data in camelCase, one file for each topic. A test
 * compares each type with the values that the core returns.
 */

export type * from "./background.js";
export type * from "./call.js";
export type * from "./catalog.js";
export type * from "./cost.js";
export type * from "./definition.js";
export type * from "./errors.js";
export type * from "./guard.js";
export type * from "./json.js";
export type * from "./options.js";
export type * from "./profile.js";
export type * from "./ranker.js";
export type * from "./ranking.js";
export type * from "./search.js";
export type * from "./session.js";
export type * from "./settings.js";
export type * from "./signal.js";
export type * from "./wire.js";
