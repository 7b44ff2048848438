import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Size, ToolInfo } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { count, plural } from "../../model/numbers.ts";
import type { Look } from "../../model/parts.ts";
import { blockAt, layoutScene, pathsOf, type Scene } from "../../model/scene.ts";
import { Legend } from "../lib/legend.tsx";
import { Tabs } from "../lib/tabs.tsx";
import { useWidth } from "../lib/use-width.ts";
import { movesWanted } from "./clock.ts";
import { motionOf, play } from "./motion.ts";
import { useRolling } from "./use-rolling.ts";

/** The width that it is drawn in when the page is built; the browser then scales the picture. */
const STILL_WIDTH = 760;

export const SWITCH = { without: "Without tool search", with: "With tool search" };

/** Where the pointer rests, as shares of the picture: what lies under it changes with the tools, without a move of the pointer. */
interface Pointer {
  across: number;
  down: number;
}

/** All tools beside what a request sends of them. */
export function SceneView({ strip = false }: { strip?: boolean }) {
  const store = useStore();
  const { current, tools } = store.snapshot;
  // In small it shows what is sent.
  const without = store.without && !strip;
  const { frame, width } = useWidth(STILL_WIDTH);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pointer, setPointer] = useState<Pointer | null>(null);
  const height = strip ? 72 : heightOf(width);
  const { size, found } = current;
  const scene = useMemo(
    () => layoutScene({ tools, size, found, without, coarse: strip }, width, height),
    [tools, size, found, without, strip, width, height],
  );
  const now = { scene, tools, size, without, width, height };
  const before = useRef(now);
  // What the words tell: they follow when what moves is there. Those of everything are true while it rises too.
  const [there, setTold] = useState(now);
  const told = without ? now : there;
  const end = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = now;
    if (was.scene === scene) return;
    end.current();
    const still = strip || was.width !== width || was.height !== height || !movesWanted();
    const motion = still ? null : motionOf(was.scene, scene, was.without !== without);
    if (motion === null || canvas.current === null) setTold(now);
    else end.current = play(canvas.current, motion, () => setTold(now));
  }, [scene]);
  useLayoutEffect(() => () => end.current(), []);
  const paths = useMemo(() => pathsOf(scene.shelf), [scene]);
  const over = useMemo(() => pointer && blockAt(scene, pointer.across * width, pointer.down * height), [pointer, scene]);
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    setPointer({ across: (event.clientX - box.left) / box.width, down: (event.clientY - box.top) / box.height });
  };
  const tokens = useRolling(scene.tokens);
  const title = (
    <>
      Tools in the {current.turns.at(-1)?.does === null ? "next" : "last"} request:{" "}
      <b data-testid="scene-tokens">{count(tokens)}</b> tokens
    </>
  );
  const picture = (
    <div ref={frame} class="scene-frame">
      {scene.titleAt !== null && (
        <p class="scene-below" style={{ top: `${scene.titleAt}px` }}>
          {title}
        </p>
      )}
      {width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`${plural(tools.length, "tool")} of the catalog, and beside them in the same scale a request of ${plural(scene.tokens, "token")}.`}
          onPointerMove={follow}
          onPointerLeave={() => setPointer(null)}
        >
          {paths.map(([look, path]) => (
            <path key={look} class={`cell ${look}`} d={path} />
          ))}
          <RequestSurface
            scene={scene}
            shelf={paths}
            factor={strip ? null : (told.scene.zoom?.factor ?? scene.zoom?.factor ?? null)}
          />
          {!strip && <Labels scene={scene} />}
          {over && <rect class="cell-over" x={over.at.x} y={over.at.y} width={over.at.width} height={over.at.height} />}
        </svg>
      )}
      <canvas ref={canvas} class="scene-motion" data-width={width} aria-hidden="true" />
    </div>
  );
  if (strip) {
    return (
      <>
        {picture}
        <Legend looks={looksOf(scene, without)} />
      </>
    );
  }
  return (
    <figure class="map scene" data-mode={without ? "without" : "with"}>
      <div class="scene-head">
        <Tabs
          name="tool-search"
          label="What a request is like"
          choices={SWITCH}
          value={without ? "without" : "with"}
          onChoose={(mode) => store.showWithout(mode === "without")}
        />
        <p class="scene-titles">
          <span>{shelfTitle(told.tools, told.size, told.without)}</span>
          {scene.titleAt === null && <span>{title}</span>}
        </p>
      </div>
      {picture}
      <figcaption>
        <span class="map-text">{over ? `${over.label}: ${plural(over.tokens, "token")}` : areaText(told.scene)}</span>
        <Legend looks={[...looksOf(there.scene, there.without), ...looksOf(scene, without)]} />
      </figcaption>
    </figure>
  );
}

/** How many tools there are, and how many of them the request does not send. */
function shelfTitle(tools: readonly ToolInfo[], { full }: Size, without: boolean): string {
  const held = tools.filter(({ state }) => state === "deferred").length;
  if (without || held === 0) return `${plural(tools.length, "tool")}: ${plural(full.tokens, "token")}`;
  return held === tools.length
    ? `All ${plural(held, "tool")} deferred`
    : `${count(held)} of ${plural(tools.length, "tool")} deferred`;
}

/** What stands above and below the picture on a screen. */
const AROUND = 360;

function heightOf(width: number): number {
  if (width < 560) return 380;
  const screen = globalThis.innerHeight ?? Infinity;
  return Math.round(Math.min(680, Math.max(300, Math.min(width * 0.56, screen - AROUND))));
}

/** What a tool can be while a conversation goes on, and whatever else is drawn. */
function looksOf({ shelf, request }: Scene, without: boolean): Look[] {
  const drawn = [...shelf, ...request].map(({ look }) => look);
  return without ? drawn : ["deferred", "found", "revealed", ...drawn];
}

/** What the area of a block says. */
function areaText({ zoom }: Scene): string {
  if (zoom === null) return "Each block is a tool; its area is its tokens, on both sides alike.";
  return `A block’s area is its tokens; in the enlarged request, its tokens × ${count(zoom.factor)}.`;
}

/** The names of servers, where there is room for them. */
function Labels({ scene: { shelfLabels } }: { scene: Scene }) {
  return (
    <g aria-hidden="true">
      {shelfLabels.map(({ text, x, y, upright }) => (
        <text key={`${x} ${y}`} class="map-label" transform={`translate(${x} ${y})${upright ? " rotate(90)" : ""}`}>
          {text}
        </text>
      ))}
    </g>
  );
}

interface RequestProps {
  scene: Scene;
  shelf: readonly [look: string, path: string][];
  /** It is said where the picture has words beside it. */
  factor: number | null;
}

function RequestSurface({ scene, shelf, factor }: RequestProps) {
  const { frame, request, zoom, same } = scene;
  const bottom = zoom && Math.min(...request.map(({ at }) => at.y));
  return (
    <g class="scene-request">
      <rect
        class="scene-room"
        x={frame.x + 0.5}
        y={frame.y + 0.5}
        width={Math.max(0, frame.width - 1)}
        height={Math.max(0, frame.height - 1)}
      />
      <g transform={same ? `translate(${frame.x} ${frame.y})` : undefined}>
        {(same ? shelf : pathsOf(request)).map(([look, path]) => (
          <path key={look} class={`cell ${look}`} d={path} />
        ))}
      </g>
      {zoom && (
        <>
          <path
            class="zoom-lines"
            d={`M${zoom.at.x} ${zoom.at.y + zoom.at.height}L${frame.x} ${bottom}M${zoom.at.x + zoom.at.width} ${zoom.at.y + zoom.at.height}L${frame.x + frame.width} ${bottom}`}
          />
          {pathsOf(zoom.blocks).map(([look, path]) => (
            <path key={look} class={`cell ${look}`} d={path} />
          ))}
          <text class="zoom-factor" x={zoom.at.x} y={zoom.at.y - 4}>
            enlarged{factor !== null && ` × ${count(factor)}`}
          </text>
        </>
      )}
    </g>
  );
}
