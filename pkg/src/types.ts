/**
 * The types of everything that toolsift takes and returns: plain JSON-able data in camelCase, in one file for each idea.
 * A test checks each shape against what the core really returns.
 */

export type * from "./types/background.js";
export type * from "./types/call.js";
export type * from "./types/catalog.js";
export type * from "./types/cost.js";
export type * from "./types/definition.js";
export type * from "./types/enrichment.js";
export type * from "./types/errors.js";
export type * from "./types/guard.js";
export type * from "./types/history.js";
export type * from "./types/json.js";
export type * from "./types/options.js";
export type * from "./types/profile.js";
export type * from "./types/ranker.js";
export type * from "./types/ranking.js";
export type * from "./types/request.js";
export type * from "./types/scores.js";
export type * from "./types/search.js";
export type * from "./types/session.js";
export type * from "./types/settings.js";
export type * from "./types/signal.js";
export type * from "./types/wire.js";
