/** Finds what was taken out of a definition that stands in the request as a stub. */
import { isRecord } from "./json.ts";
import type { WireTool } from "./wire.ts";

export interface Emptied {
  /** Names of the parameters that are left out. */
  parameters: string[];
  /** Characters of the schema as its server sent it, and as it stands in the request. */
  before: number;
  after: number;
}

/** Null where the tool is sent with all of its parameters. */
export function emptied(sent: WireTool, original: WireTool | null): Emptied | null {
  if (!original || isRecord(sent.schema["properties"])) return null;
  const { properties } = original.schema;
  const parameters = isRecord(properties) ? Object.keys(properties) : [];
  if (parameters.length === 0) return null;
  return { parameters, before: lengthOf(original), after: lengthOf(sent) };
}

function lengthOf({ schema }: WireTool): number {
  return JSON.stringify(schema).length;
}
