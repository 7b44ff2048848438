/** Fuse.js over three fields; matches may stand anywhere in a text, since descriptions are long. */

import Fuse from "fuse.js";
import { documentsOf, FIELDS } from "../documents.mjs";

export function open({ limit }) {
  const all = [];
  let library;
  return {
    prepare: documentsOf,
    add: (documents) => void all.push(...documents),
    finish: () => void (library = new Fuse(all, { keys: FIELDS, ignoreLocation: true })),
    searches: { fuse: (query) => library.search(query, { limit }) },
  };
}
