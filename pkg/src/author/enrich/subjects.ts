/** Reads tools with the core, which decides on names, repairs and formats. */

import { ToolSift } from "toolsift:self";
import type { SingleTool, ToolInfo, ToolList } from "../../types/index.js";
import { hashOf, hashedText } from "../../packs/definition-hash.js";
import type { NotEnriched } from "./options.js";

/** A tool for which words are requested. */
export interface Subject {
  /** Its original name. */
  name: string;
  server: string | null;
  title: string | null;
  description: string;
  /** Its parameters with their descriptions. */
  parameters: { name: string; description: string }[];
  hash: string;
}

/** Returns the tools of a list in order, and the tools that the core refuses. */
export function subjectsOf(tools: unknown, server: string | undefined): { subjects: Subject[]; refused: NotEnriched[] } {
  const sift = new ToolSift({ activation: "off" });
  try {
    const { rejected } = sift.register(tools as ToolList | SingleTool, {
      names: "alias",
      ...(server !== undefined && { server }),
    });
    // Returns all definitions in one format.
    const definitions = sift.session("enrich").assemble({ format: "mcp" }).tools;
    const subjects = sift.tools().map((info, at) => subjectOf(info, definitions[at]!.inputSchema));
    return { subjects, refused: rejected.map(({ name, message }) => ({ name, server: server ?? null, reason: message })) };
  } finally {
    sift.dispose();
  }
}

function subjectOf({ originalName: name, server, title, description }: ToolInfo, schema: unknown): Subject {
  const properties = Object(Object(schema)["properties"]) as Record<string, unknown>;
  const parameters = Object.entries(properties).map(([key, value]) => {
    const description: unknown = Object(value)["description"];
    return { name: key, description: typeof description === "string" ? description : "" };
  });
  return {
    name,
    server,
    title,
    description,
    parameters,
    hash: hashOf(name, hashedText(description)),
  };
}
