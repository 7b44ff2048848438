/** Fuse.js over three fields; matches may stand anywhere in a text, since descriptions are long. */

import Fuse from "fuse.js";
import { documentsOf, FIELDS } from "../documents.mjs";

export function open({ limit }) {
  const library = new Fuse([], { keys: FIELDS, ignoreLocation: true });
  return {
    prepare: documentsOf,
    add: (documents) => documents.forEach((document) => library.add(document)),
    searches: { fuse: (query) => library.search(query, { limit }) },
  };
}
