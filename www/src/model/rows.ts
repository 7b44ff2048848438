/** Which tools does an answer name? Read from the text that the model gets, whatever profile wrote it. */
import { isRecord, parseJson } from "./json.ts";

export interface Row {
  name: string;
  description: string;
}

/** The first list of tools, or of tool names, in an answer; empty where it holds none. */
export function rowsOf(content: string): Row[] {
  return rowsIn(parseJson(content)) ?? [];
}

function rowsIn(value: unknown): Row[] | null {
  if (Array.isArray(value)) return listed(value);
  if (!isRecord(value)) return null;
  for (const entry of Object.values(value)) {
    const rows = rowsIn(entry);
    if (rows) return rows;
  }
  return null;
}

function listed(list: unknown[]): Row[] | null {
  const rows: Row[] = [];
  for (const item of list) {
    if (typeof item === "string") rows.push({ name: item, description: "" });
    else if (isRecord(item) && typeof item["name"] === "string") {
      const description = item["description"];
      rows.push({ name: item["name"], description: typeof description === "string" ? description : "" });
    } else return null;
  }
  return rows.length > 0 ? rows : null;
}
