/**
 * Measures FlexSearch with one text for each tool, its fastest setting. With `suggest`, it also finds tools that do not have
 * every word of the query. Without it, queries of more than three words find almost nothing.
 */

import FlexSearch from "flexsearch";
import { documentsOf, FIELDS } from "../documents.mjs";

const joined = (document) => ({ id: document.id, text: FIELDS.map((field) => document[field]).join(" ") });

export function open({ limit }) {
  const library = new FlexSearch.Index();
  return {
    prepare: (catalog, from) => documentsOf(catalog, from).map(joined),
    add: (documents) => documents.forEach(({ id, text }) => library.add(id, text)),
    searches: { flexsearch: (query) => library.search(query, { limit, suggest: true }) },
  };
}
