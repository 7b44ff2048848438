/**
 * Ranks as a general search library does: MiniSearch itself with its defaults (any word may match, whole words only, no boost
 * for a field, BM25+) over three fields: name, description, and the texts of the parameters at every depth.
 */

import MiniSearch from "minisearch";
import { deepTexts } from "./schema-text.mjs";

export function index(tools) {
  const library = new MiniSearch({ fields: ["name", "description", "parameters"] });
  library.addAll(
    tools.map(({ name, description, parameters }, id) => ({
      id,
      name,
      description,
      parameters: deepTexts(parameters).join(" "),
    })),
  );
  return {
    search: (query, count) =>
      library
        .search(query)
        .slice(0, count)
        .map(({ id }) => tools[id].name),
  };
}
