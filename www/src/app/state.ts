/** The state of the page, and all actions of a visitor. */
import { computed, signal } from "@preact/signals";
import { type Core, startCore } from "../core/client.ts";
import type { HitPart } from "toolsift";
import type { Catalog, Found, Opening, Play, Sent } from "../core/types.ts";
import type { Taken } from "../core/worker.ts";
import { read, written } from "../model/link.ts";
import type { Text } from "../model/reading.ts";

/** The steps of a play: the user's message, the search, the loading of tools, the model's call. */
export const LAST_STEP = 3;
const SEARCHED = 1;
export const LOADED = 2;
const STEP_MS = 700;

export const catalog = signal<Catalog>({ own: false, servers: [], full: 0, first: 0 });
export const play = signal<Play | null>(null);
/** The step that is shown. */
export const at = signal(LAST_STEP);
/** True until the visitor does something. */
export const fresh = signal(true);
/** The text in the input field. */
export const text = signal("");
/** The result of reading the visitor's files; null for the tools of the page and of a link. */
export const taken = signal<Omit<Taken, "catalog"> | null>(null);
export const bringing = signal(false);
export const failure = signal<string | null>(null);

export const tools = computed(() => catalog.value.servers.flatMap((one) => one.tools));

/** The tools that the play has found or loaded by the step that is shown. */
export const states = computed((): ReadonlyMap<string, "found" | "loaded"> => {
  const { hits = [], loaded = [], active = true, confidence } = play.value ?? {};
  const shown = new Map<string, "found" | "loaded">();
  if (!active) for (const { name } of tools.value) shown.set(name, "loaded");
  else if (at.value >= SEARCHED && confidence !== "none") for (const { name } of hits) shown.set(name, "found");
  if (at.value >= LOADED) for (const name of loaded) shown.set(name, "loaded");
  return shown;
});

/** Tokens of the request at the step that is shown. */
export const sent = computed(() => play.value?.tokens[at.value] ?? catalog.value.first);

let core: Core | null = null;
/** Resolves when the core has the page's tools. The core starts when the visitor does something. */
let opened: Promise<unknown> = Promise.resolve();

/** Starts the core, once. */
export function wake(): Core {
  if (core === null) {
    core = startCore();
    opened = core.sample();
    opened.catch(fail);
  }
  return core;
}

/** Returns the core after the page's tools were registered in it. */
async function awake(): Promise<Core> {
  const woken = wake();
  await opened;
  return woken;
}

export function begin(opening: Opening): void {
  catalog.value = opening.catalog;
  play.value = opening.play;
  text.value = opening.play.query;
}

function fail(error: unknown): void {
  failure.value = error instanceof Error ? error.message : String(error);
}

/** The number of the newest request. Only its answer is shown, because answers may arrive late. */
let asked = 0;
/** The core's last play. The page's first play was made by the build. */
let played: Play | null = null;

async function search(query: string, shared: Found | null = null): Promise<boolean> {
  const number = ++asked;
  stop();
  const answer = await (await awake()).play(query, shared);
  if (number !== asked) return false;
  play.value = played = answer;
  return true;
}

/** Searches while the visitor types. */
export function type(query: string): void {
  text.value = query;
  if (query.trim() === "") return;
  search(query).then((newest) => newest && (at.value = SEARCHED), fail);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Stops the animation. */
function stop(): void {
  clearTimeout(timer);
  fresh.value = false;
}

/** Plays the request in the input field: step by step, or directly if the visitor prefers reduced motion. */
export async function run(query = text.value): Promise<void> {
  if (query.trim() === "") return;
  text.value = query;
  try {
    if (play.value?.query !== query && !(await search(query))) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) at.value = LAST_STEP;
    else advance(0);
    await remember();
  } catch (error) {
    fail(error);
  }
}

function advance(step: number): void {
  stop();
  at.value = step;
  if (step < LAST_STEP) timer = setTimeout(() => advance(step + 1), STEP_MS);
}

/** Returns the texts that a step sent. */
export async function sentIn(step: number): Promise<Sent[]> {
  const woken = await awake();
  if (play.value && play.value !== played) await search(play.value.query);
  return woken.opened(step);
}

/** Returns the reasons why the request finds a tool. */
export async function whyFound(name: string): Promise<HitPart[]> {
  const woken = await awake();
  return woken.why(play.value?.query ?? "", name);
}

/** Moves by one or more steps. */
export function go(by: number): void {
  stop();
  at.value = Math.min(LAST_STEP, Math.max(0, at.value + by));
}

/** Replaces the tools by those of files or of pasted text. */
export async function take(given: (Text | File)[]): Promise<void> {
  try {
    const { catalog: next, ...told } = await (await awake()).take(given);
    taken.value = told;
    if (next === null) return;
    await show(next);
    await remember();
  } catch (error) {
    fail(error);
  }
}

/** Restores the tools of the page. */
export async function restore(): Promise<void> {
  try {
    const next = await (await awake()).sample();
    taken.value = null;
    await show(next);
    await remember();
  } catch (error) {
    fail(error);
  }
}

async function show(next: Catalog, query = text.value, shared: Found | null = null): Promise<void> {
  const answer = await wake().play(query, shared);
  asked += 1;
  stop();
  catalog.value = next;
  play.value = played = answer;
  text.value = query;
  at.value = LAST_STEP;
  bringing.value = false;
}

/** Identifies this visit, because the worker has the tools of earlier history entries only during one visit. */
const visit = `${performance.timeOrigin}`;

/** Returns the link to the current state. */
export async function linkHere(): Promise<string> {
  return new URL(play.value === null ? "" : await written(catalog.value, play.value), location.href).href;
}

/** Writes the current state into the address. */
async function remember(): Promise<void> {
  const { hash } = new URL(await linkHere());
  if (hash === location.hash) return;
  history.pushState({ visit, place: await wake().keep() }, "", hash);
}

const UNREADABLE = "The tools in this link cannot be read. These are the tools of the sample.";

/** Shows the state in the address, after a link was opened or after a step back in the history. */
export async function follow(opening: Opening): Promise<void> {
  try {
    const linked = await read(location.hash);
    const state = history.state as { visit?: string; place?: number } | null;
    const query = linked.query ?? opening.play.query;
    const woken = await awake();
    const kept = state?.visit === visit && state.place !== undefined ? await woken.kept(state.place) : null;
    const broken = !kept && !linked.servers && /[#&]t=/.test(location.hash);
    taken.value = broken ? { problems: [UNREADABLE], unknown: [], file: "" } : null;
    if (kept) await show(kept, query);
    else if (linked.servers) await show(await woken.linked(linked), query, linked.found);
    else await show(await woken.sample(), query);
  } catch (error) {
    fail(error);
  }
}
