import { useState } from "preact/hooks";
import type { ToolInfo, ToolState } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import type { SourceView } from "../../core/types.ts";
import { count, plural } from "../../model/numbers.ts";
import { isSent } from "../../model/states.ts";
import { ToolRow } from "./tool-row.tsx";

type Show = "all" | "sent" | "found" | ToolState;

const SHOWS: Record<Show, string> = {
  all: "all states",
  sent: "sent in full",
  found: "found",
  revealed: "revealed",
  pinned: "pinned",
  eager: "eager",
  deferred: "deferred",
  hidden: "out of scope",
};

/** Every tool by server, with where it stands in this session and what it costs. */
export function Catalog() {
  const store = useStore();
  const [filter, setFilter] = useState("");
  const [show, setShow] = useState<Show>("all");
  const { current, tools: all, sources } = store.snapshot;
  const found = new Set(current.found);
  const wanted = filter.trim().toLowerCase();
  const matches = (tool: ToolInfo) =>
    inState(tool, show, found) &&
    (wanted === "" || tool.name.toLowerCase().includes(wanted) || tool.description.toLowerCase().includes(wanted));
  const byServer = new Map<string | null, ToolInfo[]>();
  for (const tool of all) {
    const list = byServer.get(tool.server);
    if (list) list.push(tool);
    else byServer.set(tool.server, [tool]);
  }
  const filtering = wanted !== "" || show !== "all";
  const most = Math.max(1, ...all.map((tool) => tool.tokens));
  const groups = sources
    .map((source) => ({ source, tools: (byServer.get(source.server) ?? []).filter(matches) }))
    .filter(({ tools }) => !filtering || tools.length > 0);
  const shown = groups.reduce((sum, { tools }) => sum + tools.length, 0);
  return (
    <section class="card catalog" aria-labelledby="catalog-title">
      <header class="card-head">
        <h2 id="catalog-title">The catalog</h2>
        <p class="tally" role="status">
          {filtering ? `${count(shown)} of ` : ""}
          {plural(all.length, "tool")}
        </p>
      </header>
      <div class="filters">
        <label class="field grow">
          <span class="field-name">Filter</span>
          <input
            type="search"
            placeholder="name or description"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="field-name">Show</span>
          <select value={show} onChange={(event) => setShow(event.currentTarget.value as Show)}>
            {Object.entries(SHOWS).map(([value, label]) => (
              <option value={value}>{label}</option>
            ))}
          </select>
        </label>
      </div>
      {groups.length === 0 && <p class="hint">{filtering ? "No tool fits the filter." : "There are no tools here."}</p>}
      {groups.map(({ source, tools }) => (
        <Server
          key={source.server}
          source={source}
          tools={tools}
          most={most}
          filtering={filtering}
          found={found}
          first={source === sources[0]}
        />
      ))}
    </section>
  );
}

function inState(tool: ToolInfo, show: Show, found: ReadonlySet<string>): boolean {
  if (show === "all") return true;
  if (show === "sent") return isSent(tool);
  return show === "found" ? found.has(tool.name) : tool.state === show;
}

/** A server of thousands of tools is shown in pages; the filter finds the rest. */
const PAGE = 100;

interface ServerProps {
  source: SourceView;
  tools: readonly ToolInfo[];
  most: number;
  filtering: boolean;
  found: ReadonlySet<string>;
  first: boolean;
}

function Server({ source, tools, most, filtering, found, first }: ServerProps) {
  const { active } = useStore().snapshot.current;
  const [toggled, setToggled] = useState<boolean | null>(null);
  const [pages, setPages] = useState(1);
  const sent = tools.filter(isSent).length;
  const hits = tools.filter((tool) => found.has(tool.name)).length;
  const moved = (tool: ToolInfo) => isSent(tool) || found.has(tool.name);
  const open = filtering || (toggled ?? first);
  // Where something happened it is seen, also on a server that is not unfolded.
  const listed = open ? tools : active ? tools.filter(moved) : [];
  const shown = listed.filter((tool, index) => index < pages * PAGE || moved(tool)).slice(0, (pages + 1) * PAGE);
  return (
    <div class="server">
      <h3>
        <button type="button" class="server-toggle" aria-expanded={open} onClick={() => setToggled(!open)}>
          <svg class="chevron" viewBox="0 0 10 10" aria-hidden="true">
            <path d="M3 1.5 7 5 3 8.5" />
          </svg>
          <span class="server-name">{source.server}</span>
          <span class="server-from">{source.from}</span>
          <span class="server-tally">
            {hits > 0 && <span class="state found">{count(hits)} found</span>}
            {sent > 0 && <span class="state revealed">{count(sent)} sent</span>}
            <span>{plural(tools.length, "tool")}</span>
            <span class="cost">{plural(sum(tools), "token")}</span>
          </span>
        </button>
      </h3>
      {shown.length > 0 && (
        <ul class="tools">
          {shown.map((tool) => (
            <ToolRow key={tool.name} tool={tool} found={found.has(tool.name)} most={most} />
          ))}
        </ul>
      )}
      {shown.length < listed.length && (
        <button type="button" class="button small" onClick={() => setPages(pages + 1)}>
          Show {count(Math.min(PAGE, listed.length - shown.length))} more
        </button>
      )}
    </div>
  );
}

function sum(tools: readonly ToolInfo[]): number {
  return tools.reduce((total, tool) => total + tool.tokens, 0);
}

