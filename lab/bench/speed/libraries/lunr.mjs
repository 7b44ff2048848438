/** lunr over three fields, with its stemmer and stop words. It is built once and cannot be added to afterwards. */

import lunr from "lunr";
import { documentsOf, FIELDS } from "../documents.mjs";

export function open({ limit }) {
  const builder = new lunr.Builder();
  builder.pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
  builder.searchPipeline.add(lunr.stemmer);
  builder.ref("id");
  FIELDS.forEach((field) => builder.field(field));
  let library;
  // As words, since the query's text is a language of its own, with operators that a story may hold by chance.
  const found = (text) => library.query((query) => query.term(lunr.tokenizer(text), {})).slice(0, limit);
  return {
    prepare: documentsOf,
    add: (documents) => documents.forEach((document) => builder.add(document)),
    finish: () => void (library = builder.build()),
    searches: { lunr: found },
  };
}
