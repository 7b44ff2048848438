/** The state of the page, and everything that a visitor can do to it. */
import { computed, signal } from "@preact/signals";
import { type Core, startCore } from "../core/client.ts";
import type { HitPart } from "toolsift";
import type { Catalog, Found, Opening, Play, Sent } from "../core/types.ts";
import type { Taken } from "../core/worker.ts";
import { read, written } from "../model/link.ts";
import type { Text } from "../model/reading.ts";

/** The steps of a play: the user speaks, somebody searches, tools are loaded, the model calls one. */
export const LAST_STEP = 3;
const SEARCHED = 1;
export const LOADED = 2;
const STEP_MS = 700;

export const catalog = signal<Catalog>({ own: false, servers: [], full: 0, first: 0 });
export const play = signal<Play | null>(null);
/** The step that is shown. */
export const at = signal(LAST_STEP);
/** Whether nobody has done anything yet. */
export const fresh = signal(true);
/** What stands in the box. */
export const text = signal("");
/** What became of files that were brought; null for the tools of the page and of a link. */
export const taken = signal<Omit<Taken, "catalog"> | null>(null);
export const bringing = signal(false);
export const failure = signal<string | null>(null);

export const tools = computed(() => catalog.value.servers.flatMap((one) => one.tools));

/** Which tools the play has found and loaded by the step that is shown. */
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
/** Whether the core has the tools that the page shows: it starts when somebody does something. */
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

/** The core with the tools of the page in it. */
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

/** Only the newest request is shown: answers may come late. */
let asked = 0;
/** What the core has played last: the first play of the page is made when it is built. */
let played: Play | null = null;

async function search(query: string, shared: Found | null = null): Promise<boolean> {
  const number = ++asked;
  stop();
  const answer = await (await awake()).play(query, shared);
  if (number !== asked) return false;
  play.value = played = answer;
  return true;
}

/** Searches while somebody types. */
export function type(query: string): void {
  text.value = query;
  if (query.trim() === "") return;
  search(query).then((newest) => newest && (at.value = SEARCHED), fail);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Ends what moves by itself. */
function stop(): void {
  clearTimeout(timer);
  fresh.value = false;
}

/** Plays the request in the box, step by step where motion is welcome. */
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

/** What a step sent. */
export async function sentIn(step: number): Promise<Sent[]> {
  const woken = await awake();
  if (play.value && play.value !== played) await search(play.value.query);
  return woken.opened(step);
}

/** Why the request finds a tool. */
export async function whyFound(name: string): Promise<HitPart[]> {
  const woken = await awake();
  return woken.why(play.value?.query ?? "", name);
}

/** Goes a step back or on. */
export function go(by: number): void {
  stop();
  at.value = Math.min(LAST_STEP, Math.max(0, at.value + by));
}

/** Takes files or a paste in place of the tools before. */
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

/** Goes back to the tools of the page. */
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

/** Names this visit, so that a step back finds the tools that the worker still has. */
const visit = `${performance.timeOrigin}`;

/** The link to what is shown. */
export async function linkHere(): Promise<string> {
  return new URL(play.value === null ? "" : await written(catalog.value, play.value), location.href).href;
}

/** Writes what is shown into the address. */
async function remember(): Promise<void> {
  const { hash } = new URL(await linkHere());
  if (hash === location.hash) return;
  history.pushState({ visit, place: await wake().keep() }, "", hash);
}

const UNREADABLE = "The tools in this link cannot be read. These are the tools of the sample.";

/** Shows what the address holds: a link that was opened, or a step back. */
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
