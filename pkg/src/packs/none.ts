/** Stands for the packs where a program is one file, as at the edge: it would carry all of them. `toolsift/packs` has them. */

import type { PacksFor } from "./types.js";

export const translations = async (): Promise<string> => "";

export const packsFor = async (): Promise<PacksFor> => ({ entries: [], packs: [], problems: [] });
