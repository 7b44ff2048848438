import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Size, ToolInfo } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { count, plural } from "../../model/numbers.ts";
import type { Look } from "../../model/parts.ts";
import { type Block, blockAt, layoutScene, pathsOf, type Scene, seenOf } from "../../model/scene.ts";
import { Legend } from "../lib/legend.tsx";
import { Tabs } from "../lib/tabs.tsx";
import { useWidth } from "../lib/use-width.ts";
import { type Flight, type Motion, movesWanted, play } from "./flight.ts";

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
  const [arriving, setArriving] = useState<ReadonlySet<string>>(NOTHING);
  const height = strip ? 72 : heightOf(width);
  const { size, found } = current;
  const scene = useMemo(
    () => layoutScene({ tools, size, found, without, coarse: strip }, width, height),
    [tools, size, found, without, strip, width, height],
  );
  const before = useRef({ scene, without, width, height });
  const end = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { scene, without, width, height };
    if (
      was.scene === scene ||
      was.width !== width ||
      was.height !== height ||
      canvas.current === null ||
      strip ||
      !movesWanted()
    )
      return;
    end.current();
    const motion = motionOf(was.scene, scene, was.without !== without);
    if (motion === null) return;
    const names = new Set(
      motion.flights.length > 0 && was.without === without ? newIn(was.scene, scene).map(({ key }) => key) : [],
    );
    setArriving(names);
    end.current = play(canvas.current, motion, () => setArriving(NOTHING));
  }, [scene]);
  useEffect(() => () => end.current(), []);
  const paths = useMemo(() => pathsOf(scene.shelf), [scene]);
  const over = useMemo(() => pointer && blockAt(scene, pointer.across * width, pointer.down * height), [pointer, scene]);
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    setPointer({ across: (event.clientX - box.left) / box.width, down: (event.clientY - box.top) / box.height });
  };
  const title = (
    <>
      This request sends <b data-testid="scene-tokens">{count(scene.tokens)}</b> tokens
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
          <RequestSurface scene={scene} shelf={paths} arriving={arriving} />
          {over && <rect class="cell-over" x={over.at.x} y={over.at.y} width={over.at.width} height={over.at.height} />}
        </svg>
      )}
      <canvas ref={canvas} class="scene-motion" data-width={width} aria-hidden="true" />
      {width > 0 && <Labels scene={scene} strip={strip} width={width} height={height} />}
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
          <span>{shelfTitle(tools, size, without)}</span>
          {scene.titleAt === null && <span>{title}</span>}
        </p>
      </div>
      {picture}
      <figcaption>
        <span class="map-text">{over ? `${over.label}: ${plural(over.tokens, "token")}` : areaText(scene)}</span>
        <Legend looks={looksOf(scene, without)} />
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

interface LabelProps {
  scene: Scene;
  strip: boolean;
  width: number;
  height: number;
}

/** The words in the picture: they stay above the blocks that fly. */
function Labels({ scene, strip, width, height }: LabelProps) {
  const { shelfLabels, zoom } = scene;
  return (
    <svg class="scene-labels" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {!strip &&
        shelfLabels.map(({ text, x, y }) => (
          <text key={`${x} ${y}`} class="map-label" x={x} y={y}>
            {text}
          </text>
        ))}
      {zoom && (
        <text
          class="zoom-factor"
          x={strip ? zoom.at.x + zoom.at.width + 4 : zoom.at.x}
          y={strip ? zoom.at.y + zoom.at.height / 2 + 4 : zoom.at.y - 6}
        >
          {strip ? `× ${count(zoom.factor)}` : `enlarged × ${count(zoom.factor)}`}
        </text>
      )}
    </svg>
  );
}

interface RequestProps {
  scene: Scene;
  shelf: readonly [look: string, path: string][];
  arriving: ReadonlySet<string>;
}

function RequestSurface({ scene, shelf, arriving }: RequestProps) {
  const { frame, request, zoom, same } = scene;
  const still = (blocks: readonly Block[]) =>
    pathsOf(arriving.size === 0 ? blocks : blocks.filter(({ key }) => !arriving.has(key)));
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
        {(same ? shelf : still(request)).map(([look, path]) => (
          <path key={look} class={`cell ${look}`} d={path} />
        ))}
      </g>
      {zoom && (
        <>
          <path
            class="zoom-lines"
            d={`M${zoom.at.x} ${zoom.at.y + zoom.at.height}L${frame.x} ${bottom}M${zoom.at.x + zoom.at.width} ${zoom.at.y + zoom.at.height}L${frame.x + frame.width} ${bottom}`}
          />
          {still(zoom.blocks).map(([look, path]) => (
            <path key={look} class={`cell ${look}`} d={path} />
          ))}
        </>
      )}
    </g>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** Tools that a request has and the one before had not. */
function newIn(before: Scene, after: Scene): Block[] {
  const had = new Set(seenOf(before).map(({ key }) => key));
  return seenOf(after).filter(({ key }) => !had.has(key));
}

/** Blocks that fly at a time: of more, the small ones are specks, and a browser draws so many in a frame. */
const MOST_FLIGHTS = 1_000;

function largest(blocks: readonly Block[]): readonly Block[] {
  if (blocks.length <= MOST_FLIGHTS) return blocks;
  return blocks.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST_FLIGHTS);
}

/** What moves from one picture to the next. */
function motionOf(before: Scene, after: Scene, switched: boolean): Motion | null {
  const shelf = new Map(after.shelf.map((block) => [block.key, block.at]));
  if (switched) {
    const drains = after.tokens < before.tokens;
    const [full, few] = drains ? [before, after] : [after, before];
    const stays = new Map(seenOf(few).map(({ key, at }) => [key, at]));
    // The lowest leave first, as from a vessel.
    const blocks = largest(full.request).toSorted((a, b) => b.at.y - a.at.y);
    const flights = blocks.flatMap(({ key, at }): Flight[] => {
      const rest = stays.get(key) ?? shelf.get(key);
      if (rest === undefined) return [];
      const [from, to] = drains ? [at, rest] : [rest, at];
      return [{ from, to, colour: "--sent", fades: drains }];
    });
    return { flights, ripples: [], takes: 400, spread: 450 };
  }
  const flights = newIn(before, after).flatMap(({ key, at }): Flight[] => {
    const from = shelf.get(key);
    return from === undefined ? [] : [{ from, to: at, colour: "--revealed", fades: false }];
  });
  const was = new Set(before.shelf.filter(({ look }) => look === "found").map(({ key }) => key));
  const hits = after.shelf.filter(
    ({ look, key }) => (look === "found" && !was.has(key)) || flights.some((one) => one.from === shelf.get(key)),
  );
  if (flights.length + hits.length === 0) return null;
  return { flights, ripples: hits.slice(0, 40).map(({ at }) => at), takes: 340, spread: 60 };
}
