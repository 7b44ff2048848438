/**
 * Fixes of definitions that need no thought, so that the doctor can show them: what stands there says what it should be. The
 * doctor is asked again about each, and what it still finds is not shown as fixed.
 */
import { ToolSift } from "toolsift";
import { examine, type Finding, type ServerTools } from "toolsift/author";
import { isRecord, type JsonRecord } from "../model/json.ts";

/** What stands in a definition, and what it should be. */
export interface Fix {
  before: string;
  after: string;
}

/** A definition as it was and as it should be. */
interface Mended {
  server: string;
  was: string;
  tool: JsonRecord;
  fix: Fix;
}

/** A kind of fix: the check that it answers, and the definitions of a server that it mends. */
interface Kind {
  check: string;
  mend: (tools: readonly JsonRecord[]) => Iterable<Omit<Mended, "server">>;
}

const KINDS: readonly Kind[] = [
  { check: "vendors", mend: names },
  { check: "vendors", mend: parameters },
  { check: "texts", mend: descriptions },
  { check: "suspicious", mend: visible },
];

/** The fix of a finding, of the first of its tools that has one; null where there is none, or the finding would stay. */
export function fixesOf(servers: readonly ServerTools[]): (finding: Finding) => Fix | null {
  const kinds = KINDS.map(({ check, mend }) => {
    const mended = servers.flatMap(({ server, tools }) =>
      [...mend((tools as readonly unknown[]).filter(isNamed))].map((one): Mended => ({ server, ...one })),
    );
    const lists = [...new Set(mended.map(({ server }) => server))].map((server) => ({
      server,
      tools: mended.filter((one) => one.server === server).map(({ tool }) => tool),
    }));
    const findings = lists.length === 0 ? [] : examine(lists as ServerTools[], { only: [check] }).findings;
    const left = new Set(findings.flatMap(keysOf));
    return { check, left, byTool: new Map(mended.map((one) => [`${one.server}\n${one.was}`, one])) };
  });
  return (finding) => {
    for (const { check, left, byTool } of kinds) {
      if (check !== finding.check) continue;
      for (const name of toolsOf(finding)) {
        const one = byTool.get(`${finding.server}\n${name}`);
        if (one && !left.has(keyOf(finding, String(one.tool["name"])))) return one.fix;
      }
    }
    return null;
  };
}

function toolsOf({ tool, tools }: Finding): readonly string[] {
  return tool === null ? (tools ?? []) : [tool];
}

function keysOf(finding: Finding): string[] {
  return toolsOf(finding).map((name) => keyOf(finding, name));
}

function keyOf({ server, advice }: Finding, tool: string): string {
  return `${server}\n${tool}\n${advice}`;
}

function isNamed(tool: unknown): tool is JsonRecord & { name: string } {
  return isRecord(tool) && typeof tool["name"] === "string" && tool["name"] !== "";
}

const MOST_NAME = 64;

/** Names that vendors take, where no other tool has them. */
function* names(tools: readonly JsonRecord[]): Iterable<Omit<Mended, "server">> {
  const taken = new Set(tools.map(({ name }) => name));
  for (const tool of tools) {
    const was = String(tool["name"]);
    const name = was
      .replaceAll(/[^\w-]/g, "_")
      .replace(/^(?![A-Za-z_])/, "_")
      .slice(0, MOST_NAME);
    if (taken.has(name)) continue;
    taken.add(name);
    yield { was, tool: { ...tool, name }, fix: { before: was, after: name } };
  }
}

/** Parameters as the library repairs them: what they accepted they still accept. */
function* parameters(tools: readonly JsonRecord[]): Iterable<Omit<Mended, "server">> {
  const sift = new ToolSift({ activation: "off" });
  try {
    const repaired = new Set(sift.register(tools as never, { names: "alias" }).repaired.map(({ name }) => name));
    if (repaired.size === 0) return;
    const sent = new Map(
      sift
        .session("repair")
        .assemble({ format: "mcp" })
        .tools.map(({ name, inputSchema }) => [name, inputSchema]),
    );
    const byName = new Map(tools.map((tool) => [tool["name"], tool]));
    for (const { name, originalName } of sift.tools()) {
      const tool = byName.get(originalName);
      const inputSchema = sent.get(name);
      const [was, is] = [JSON.stringify(tool?.["inputSchema"]), JSON.stringify(inputSchema)];
      if (tool === undefined || !repaired.has(name) || was === undefined || is === undefined || was === is) continue;
      yield { was: originalName, tool: { ...tool, inputSchema }, fix: differing(was, is) };
    }
  } finally {
    sift.dispose();
  }
}

/** A title for a description that is missing. */
function* descriptions(tools: readonly JsonRecord[]): Iterable<Omit<Mended, "server">> {
  for (const tool of tools) {
    const { name, title, annotations, description = "" } = tool;
    const said = title ?? (isRecord(annotations) ? annotations["title"] : undefined);
    if (description !== "" || typeof said !== "string" || said.trim() === "") continue;
    const fix = { before: '"description": ""', after: `"description": ${JSON.stringify(said)}` };
    yield { was: String(name), tool: { ...tool, description: said }, fix };
  }
}

/** Characters that nobody sees, except ends of lines. */
const UNSEEN = /(?![\n\r\t])[\p{Cc}\p{Cf}]/gu;

/** Descriptions without characters that nobody sees. */
function* visible(tools: readonly JsonRecord[]): Iterable<Omit<Mended, "server">> {
  for (const tool of tools) {
    const { name, description: was } = tool;
    if (typeof was !== "string") continue;
    const description = was.replaceAll(UNSEEN, "");
    if (description === was) continue;
    const shown = was.replaceAll(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
    yield { was: String(name), tool: { ...tool, description }, fix: differing(shown, description) };
  }
}

const SHOWN = 72;
const BEFORE = 24;

/** Where two texts begin to differ, with a little of what stands before. */
function differing(was: string, is: string): Fix {
  let at = 0;
  while (at < was.length && was[at] === is[at]) at += 1;
  const from = at > SHOWN - BEFORE ? at - BEFORE : 0;
  const excerpt = (text: string) =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? "…" : ""}`;
  return { before: excerpt(was), after: excerpt(is) };
}
