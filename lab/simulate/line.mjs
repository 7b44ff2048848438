/** Measures the size of a tool on one line, as the package's search shows it: name, parameters, first sentence, server. */

/** Parameters that a line names, and characters of a sentence that it shows. */
const PARAMETERS = 8;
const SENTENCE = 160;

/** Characters as the package counts them: code points. */
export const charactersOf = (text) => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/** Tokens as the package counts them where nobody gives it a better count. */
export const tokensOf = (text) => Math.ceil(charactersOf(text) / 4);

/** The line of a tool, with its server unless the name begins with it. */
export function lineOf({ name, description, parameters, server }) {
  const required = new Set(Array.isArray(parameters?.required) ? parameters.required : []);
  const names = Object.keys(parameters?.properties ?? {});
  const shown = names.slice(0, PARAMETERS).map((one) => (required.has(one) ? one : `${one}?`));
  if (names.length > PARAMETERS) shown.push("…");
  const sentence = sentenceOf(description ?? "");
  const isNamed = server == null || name.replace(/^mcp__/, "").startsWith(server.replaceAll(/[^\w-]/g, "_"));
  return `- ${name}(${shown.join(", ")})${sentence === "" ? "" : `: ${sentence}`}${isNamed ? "" : ` [${server}]`}\n`;
}

/** The first sentence of the first line that says something. */
export function sentenceOf(description) {
  const line = description.trim().split("\n", 1)[0].trim();
  const characters = [...(/^.*?(?:[.!?](?=\s|$)|。)/.exec(line)?.[0] ?? line)];
  return characters.length > SENTENCE ? `${characters.slice(0, SENTENCE).join("")}…` : characters.join("");
}
