/** Writes a Chat Completions request for a human reader: parts that many requests share are written once. */

/** Shared parts that are shorter than this, in characters, are repeated in each request. */
const WORTH_CHARS = 1_000;

/** Definitions of at most this length, in characters, are repeated in every request. */
const WORTH_NAMING = 120;

const systemOf = ({ messages }) => messages.find(({ role }) => role === "system")?.content ?? "";
const linesOf = ({ tools = [] }) => tools.map((definition) => JSON.stringify(definition));

/**
 * Returns the common beginnings of requests that no known page has, as `{ system, lines, page }`: a system prompt, and the
 * first tools that all requests with this prompt have in common.
 */
export function commonOf(requests, known) {
  const bySystem = new Map();
  for (const { request } of requests) {
    if (commonIn(request, known)) continue;
    const system = systemOf(request);
    const lines = linesOf(request);
    const before = bySystem.get(system) ?? lines;
    const end = before.findIndex((line, at) => line !== lines[at]);
    bySystem.set(system, end < 0 ? before : before.slice(0, end));
  }
  return [...bySystem].flatMap(([system, lines]) => {
    const page = [`## System`, "", system, "", `## Tools, the first ${lines.length}`, "", ...lines, ""].join("\n");
    return page.length < WORTH_CHARS ? [] : [{ system, lines, page }];
  });
}

/** Returns the page with the largest part of a request. */
function commonIn(request, known) {
  const system = systemOf(request);
  const lines = linesOf(request);
  return known
    .filter((common) => common.system === system && common.lines.every((line, at) => line === lines[at]))
    .sort((a, b) => b.lines.length - a.lines.length)[0];
}

/**
 * Returns one request as a page. Definitions that an earlier page of the conversation has `shown` are only named, with the
 * number of that page.
 */
export function pageOf(number, round, { conversation, request }, known, shown) {
  const common = commonIn(request, known);
  const lines = linesOf(request).slice(common?.lines.length ?? 0);
  const isOld = (line) => line.length > WORTH_NAMING && shown.has(line);
  const parts = [
    `# Request ${number} (conversation ${conversation}, round ${round}): your reply goes to replies/${number}.json`,
    "",
  ];
  if (common) parts.push(`System, and the first ${common.lines.length} tools: ${common.file}`, "");
  else parts.push("## System", "", systemOf(request), "");
  if (lines.length > 0) {
    const written = lines.map((line) =>
      isOld(line) ? `${JSON.parse(line).function.name}: as in request ${shown.get(line)}` : line,
    );
    parts.push(common ? "## Further tools" : "## Tools", "", ...written, "");
  }
  for (const line of lines) if (!shown.has(line)) shown.set(line, number);
  for (const message of request.messages.filter(({ role }) => role !== "system")) parts.push(...messageOf(message), "");
  return `${parts.join("\n")}\n`;
}

function messageOf({ role, content, tool_calls: calls = [] }) {
  if (role === "tool") return ["### Answer", "", content];
  const made = calls.map(({ function: { name, arguments: args } }) => `${name}(${args})`);
  return [role === "user" ? "### User" : "### You", "", ...(content ? [content] : []), ...made];
}
