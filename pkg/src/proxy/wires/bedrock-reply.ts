/** The replies of Converse, whole and streamed, as the client gets them. */

import type { Handed } from "../../loop/rounds.js";
import { messageOf } from "../../wire/bedrock.js";
import { type Fields, fieldsOf, objectsIn } from "../../wire/fields.js";

/** The blocks of a response that are calls. */
export function callBlocks(response: object | undefined): Fields[] {
  return objectsIn(messageOf(response ?? {})["content"]).filter((block) => block["toolUse"] !== undefined);
}

/** A call through a bridge as that of the tool itself. */
export function unwrappedBlock(block: Fields, { unwrapped }: Handed): Fields {
  return unwrapped === undefined
    ? block
    : { ...block, toolUse: { ...fieldsOf(block["toolUse"]), name: unwrapped.name, input: unwrapped.args } };
}
