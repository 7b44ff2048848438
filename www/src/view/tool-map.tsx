import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { catalog, fresh, play, sent, states, tools } from "../app/state.ts";
import { about, count, percent, plural } from "../model/numbers.ts";
import { type Block, layout, LINE, tagsOf, touch } from "../model/scene.ts";

/** The size of the map before its real width is known. */
const FIRST = { width: 800, height: 480 };

const SAID = { deferred: "not sent", found: "found", loaded: "sent" };

/** Each tool as a block of its size: pale if not sent, with its name if found, solid if sent. */
export function ToolMap() {
  const size = useSignal(FIRST);
  const pointed = useSignal<Block | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const measure = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? FIRST;
      if (width > 0) size.value = { width: Math.round(width), height: Math.round(height) };
    });
    measure.observe(frame.current as Element);
    return () => measure.disconnect();
  }, [size]);
  const { servers, full } = catalog.value;
  const { width, height } = size.value;
  const scene = useMemo(() => layout(servers, { width, height }), [servers, width, height]);
  const { blocks, heads } = scene;
  const shown = states.value;
  const tags = tagsOf(scene, shown, { width, height });
  const hidden = (block: Block) =>
    shown.has(block.name) || block.label.length === 0 || tags.some((tag) => touch(block, tag));
  const stateOf = (block: Block) => shown.get(block.name) ?? "deferred";
  const loaded = [...shown.values()].filter((state) => state === "loaded").length;
  const summary = `${plural(tools.value.length, "tool")} of ${plural(servers.length, "server")}: ${count(loaded)} sent, ${count(shown.size - loaded)} found and not sent.`;
  return (
    <figure class={fresh.value ? "map fresh" : "map"}>
      <div ref={frame} class="frame">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={summary}
          onPointerOver={({ target }) => {
            const name = (target as Element).getAttribute("data-name");
            pointed.value = blocks.find((block) => block.name === name) ?? null;
          }}
          onPointerLeave={() => (pointed.value = null)}
        >
          {blocks.map((block) => (
            <rect
              key={block.name}
              class={`block ${stateOf(block)}`}
              data-name={block.name}
              x={block.x}
              y={block.y}
              width={block.width}
              height={block.height}
            />
          ))}
          {heads.map((head) => (
            <text key={head.text} class="server" x={head.x} y={head.y + 12}>
              {head.text}
            </text>
          ))}
          {blocks.map((block) =>
            hidden(block) ? null : (
              <text key={block.name} class="name">
                {block.label.map((line, at) => (
                  <tspan key={at} x={block.x + 4} y={block.y + LINE * (at + 1)}>
                    {line}
                  </tspan>
                ))}
              </text>
            ),
          )}
          {tags.map((label) => (
            <g key={label.name} class={`tag ${label.state}`} transform={`translate(${label.x} ${label.y})`}>
              <rect width={label.width} height={label.height} rx="4" />
              <text x="6" y="14">
                {label.text}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <Scale full={full} />
      <figcaption>
        {pointed.value ? (
          <>
            <b>{pointed.value.name}</b> · {pointed.value.server} · ≈ {plural(Math.ceil(pointed.value.chars / 4), "token")} ·{" "}
            {SAID[stateOf(pointed.value)]}
          </>
        ) : (
          <>Each block is one tool; a bigger one has more tokens. Solid: sent. Outlined: found, and not sent.</>
        )}
      </figcaption>
    </figure>
  );
}

/** A scale with the tokens of all tools, and of the tools that are sent. */
function Scale({ full }: { full: number }) {
  const now = sent.value;
  const share = full === 0 ? 1 : Math.min(1, now / full);
  const { active = true } = play.value ?? {};
  return (
    <div class="scale">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="all" width="1000" height="10" />
        <rect class="sent" width={1000 * share} height="10" />
      </svg>
      <p>
        <span class="key-sent">
          sent: {about(now)} {active && `(${percent(share)})`}
        </span>
        <span>
          all {plural(tools.value.length, "tool")}: ≈ {about(full)} tokens
        </span>
      </p>
    </div>
  );
}
