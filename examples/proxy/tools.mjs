/** The tools of these agents, as MCP lists them, and in the shapes of the vendors. */

import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../worker/catalog/", import.meta.url);
const lists = readdirSync(folder).map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));

export const tools = lists.flat();

const shaped = (key) => tools.map(({ name, description, inputSchema }) => ({ name, description, [key]: inputSchema }));
export const chat = shaped("parameters").map((tool) => ({ type: "function", function: tool }));
export const messages = shaped("input_schema");
export const gemini = [{ functionDeclarations: shaped("parametersJsonSchema") }];
