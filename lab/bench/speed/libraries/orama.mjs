/** Orama over three fields, with its defaults. */

import { create, insert, search } from "@orama/orama";
import { documentsOf, FIELDS } from "../documents.mjs";

export function open({ limit }) {
  const library = create({ schema: Object.fromEntries(FIELDS.map((field) => [field, "string"])) });
  return {
    prepare: (catalog, from) => documentsOf(catalog, from).map(({ key: _, ...rest }) => ({ ...rest, id: String(rest.id) })),
    add: (documents) => documents.forEach((document) => insert(library, document)),
    countOf: ({ hits }) => hits.length,
    searches: { orama: (term) => search(library, { term, limit }) },
  };
}
