/** Measures the size of a tool on one line, as the package's search shows it: name, parameters, first sentence, server. */

/** The most parameters in a line, and the most characters of its sentence. */
const PARAMETERS = 8;
const SENTENCE = 160;

/** Counts characters as the package does: as code points. */
export const charactersOf = (text) => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/** Counts tokens as the package does by default. */
export const tokensOf = (text) => Math.ceil(charactersOf(text) / 4);

/** Returns the line of a tool, with its server unless the name begins with the server's name. */
export function lineOf({ name, description, parameters, server }) {
  const required = new Set(Array.isArray(parameters?.required) ? parameters.required : []);
  const names = Object.keys(parameters?.properties ?? {});
  const shown = names.slice(0, PARAMETERS).map((one) => (required.has(one) ? one : `${one}?`));
  if (names.length > PARAMETERS) shown.push("…");
  const sentence = sentenceOf(description ?? "");
  const isNamed = server == null || name.replace(/^mcp__/, "").startsWith(server.replaceAll(/[^\w-]/g, "_"));
  return `- ${name}(${shown.join(", ")})${sentence === "" ? "" : `: ${sentence}`}${isNamed ? "" : ` [${server}]`}\n`;
}

/** Returns the first sentence of the first line that is not empty. */
export function sentenceOf(description) {
  const line = description.trim().split("\n", 1)[0].trim();
  const characters = [...(/^.*?(?:[.!?](?=\s|$)|。)/.exec(line)?.[0] ?? line)];
  return characters.length > SENTENCE ? `${characters.slice(0, SENTENCE).join("")}…` : characters.join("");
}
