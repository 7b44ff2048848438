/** Where the tools come from: a source is one server's list, and what became of it when it was registered. */
import type { Enrichment, EnrichmentReport, NamePolicy, Rejected, Repaired, ToolDefinition } from "toolsift";
import example from "../data/example-catalog.json";
import { isRecord } from "./json.ts";
import { serverLists, type ServerList } from "./reading.ts";

export interface Source {
  server: string;
  /** The package or file it came from. */
  from: string;
  /** How it is started or reached: `package@version` or a URL; null where that is not known. */
  start: string | null;
  /** The licence of the package, where that is known. */
  license: string | null;
  tools: ToolDefinition[];
  /** What becomes of names that vendors would refuse. */
  names: NamePolicy;
  /** Words of the packs for these tools, as `toolsift()` adds them; null until they are looked for. */
  words: Enrichment[] | null;
  /** The packs that these words are of. */
  packs: Pack[];
  /** Brought by the visitor, not by the page. */
  own: boolean;
  report: Report;
}

/** Words for the tools of one server, and the day on which a model wrote them: `2026-11-24`. */
export interface Pack {
  name: string;
  written: string;
}

export interface Report {
  registered: string[];
  rejected: Rejected[];
  repaired: Repaired[];
  /** What became of the words. */
  enrichment?: EnrichmentReport;
}

/** Before it was registered. */
const NO_REPORT: Report = { registered: [], rejected: [], repaired: [] };

/** The tools that the page opens with. */
export interface Opening {
  kind: "captured" | "example";
  sources: Source[];
}

/** Real lists, captured when the page was built; where there are none, the example catalog that ships with it. */
export async function openingCatalog(read: Read = fetchJson): Promise<Opening> {
  const captured = await capturedSources(read).catch(() => []);
  if (captured.length > 0) return { kind: "captured", sources: captured };
  const lists = serverLists(example, "example", "the example catalog");
  return { kind: "example", sources: lists.map((list) => sourceOf(list, "example catalog", false)) };
}

export function sourceOf(list: ServerList, from: string, own: boolean): Source {
  const start = list.package ?? (/^https?:\/\//.test(from) ? from : null);
  return {
    server: list.server,
    from,
    start,
    license: null,
    tools: list.tools,
    names: "strict",
    words: null,
    packs: [],
    own,
    report: NO_REPORT,
  };
}

/** Reads a file of the page. */
type Read = (address: string) => Promise<unknown>;

async function capturedSources(read: Read): Promise<Source[]> {
  const index = await read("captured/index.json");
  if (!isRecord(index) || !Array.isArray(index["servers"])) return [];
  const entries = index["servers"].filter(isRecord);
  return Promise.all(
    entries.map(async (entry) => {
      const file = await read(`captured/${String(entry["file"])}`);
      const tools = isRecord(file) && Array.isArray(file["tools"]) ? file["tools"] : [];
      const from = `${String(entry["package"])}@${String(entry["version"])}`;
      const source = sourceOf(
        { server: String(entry["server"]), tools: tools.filter(isRecord), package: from },
        from,
        false,
      );
      return { ...source, license: typeof entry["license"] === "string" ? entry["license"] : null };
    }),
  );
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(new URL(address, document.baseURI));
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}
