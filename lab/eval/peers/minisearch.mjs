/**
 * Ranks with a general search library: MiniSearch with its defaults (any word may match, only whole words, no field boost,
 * BM25+) over three fields: name, description, and the texts of the parameters at every depth.
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
