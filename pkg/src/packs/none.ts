/** Replaces the packs in one-file programs, such as at the edge, which would otherwise contain all packs. */

import type { PacksFor } from "./types.js";

export const translations = async (): Promise<string> => "";

export const packsFor = async (): Promise<PacksFor> => ({ entries: [], packs: [], problems: [] });
