import { useMemo, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { count, plural } from "../../model/numbers.ts";
import { haystacks, ORDERS, rowsOf, SHOWS, type Order, type Row, type Show } from "../../model/tool-list.ts";
import { VirtualList } from "../lib/virtual-list.tsx";
import { ToolRow } from "./tool-row.tsx";

const HEIGHTS = { server: 34, tool: 34 };

interface Props {
  /** The tool that is unfolded at first; empty for none. */
  named: string;
  filter: string;
  onFilter: (text: string) => void;
}

/** Every tool with its state and what it costs; only the rows in sight are drawn. */
export function ToolList({ named, filter, onFilter }: Props) {
  const { tools, current } = useStore().snapshot;
  const [show, setShow] = useState<Show>("all");
  const [order, setOrder] = useState<Order>("server");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([named]));
  const found = useMemo(() => new Set(current.found), [current.found]);
  const texts = useMemo(() => haystacks(tools), [tools]);
  const { rows, shown } = useMemo(
    () => rowsOf(tools, texts, { text: filter, show, order }, found),
    [tools, texts, filter, show, order, found],
  );
  const most = useMemo(() => Math.max(1, ...tools.map((tool) => tool.tokens)), [tools]);
  const toggle = (name: string) => {
    const next = new Set(open);
    if (!next.delete(name)) next.add(name);
    setOpen(next);
  };
  return (
    <section class="card tool-list" aria-label="Tools">
      <div class="filters">
        <label class="field grow">
          <span class="field-name">Filter</span>
          <input
            type="search"
            placeholder="name, server or description"
            value={filter}
            onInput={(event) => onFilter(event.currentTarget.value)}
          />
        </label>
        <Choice name="Show" choices={SHOWS} value={show} onChoose={setShow} />
        <Choice name="Order" choices={ORDERS} value={order} onChoose={setOrder} />
        <p class="tally" role="status">
          {shown < tools.length ? `${count(shown)} of ` : ""}
          {plural(tools.length, "tool")}
        </p>
      </div>
      {rows.length === 0 && <p class="hint">No tool fits the filter.</p>}
      <VirtualList
        label="Tools of the catalog"
        class="tool-rows"
        items={rows}
        keyOf={(row) => (row.kind === "server" ? `server ${row.server}` : row.tool.name)}
        estimate={(row) => HEIGHTS[row.kind]}
        row={(row: Row) =>
          row.kind === "server" ? (
            <ServerLine row={row} />
          ) : (
            <ToolRow
              tool={row.tool}
              found={found.has(row.tool.name)}
              most={most}
              withServer={order !== "server"}
              open={open.has(row.tool.name)}
              onToggle={toggle}
            />
          )
        }
      />
    </section>
  );
}

interface ChoiceProps<Value extends string> {
  name: string;
  choices: Record<Value, string>;
  value: Value;
  onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ name, choices, value, onChoose }: ChoiceProps<Value>) {
  return (
    <label class="field">
      <span class="field-name">{name}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
        {(Object.entries(choices) as [Value, string][]).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function ServerLine({ row }: { row: Extract<Row, { kind: "server" }> }) {
  return (
    <p class="server-line" data-server={row.server}>
      <b class="server-name">{row.server}</b>
      <span>{plural(row.tools, "tool")}</span>
      <span class="cost">{plural(row.tokens, "token")}</span>
    </p>
  );
}
