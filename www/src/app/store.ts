/**
 * The state of the page, in one place: the core's newest snapshot, the view, what is searched for, prices, and what the page
 * has to say. Views read it through `useStore` and change it by calling `run` with an operation of the engine, or one of the
 * methods below. The address always says what is shown.
 */
import type { Remote } from "comlink";
import type { Core } from "../core/client.ts";
import type { Engine } from "../core/engine.ts";
import type { Reading, Snapshot } from "../core/types.ts";
import { addressOf, readAddress, type View } from "../model/address.ts";
import { DEFAULT_PRICES, type Prices } from "../model/bill.ts";
import type { Settings } from "../model/settings.ts";
import { forgetEverything, keepLists, keptLists } from "./keep.ts";
import { openingCatalog } from "../model/source.ts";

/** Columns that the comparison keeps at most. */
const MOST_KEPT = 4;

/** Nobody is kept waiting by work that begins this long after the last change. */
const FINISH_MS = 250;

/** Something that the page tells above the view until it is put away. */
export interface Notice {
  text: string;
  kind: "refused" | "problem";
}

export class Store {
  view: View;
  /** What is looked for in the search lab. */
  query: string;
  prices: Prices = DEFAULT_PRICES;
  notices: readonly Notice[] = [];
  /** What became of the last files and pastes. */
  readings: readonly Reading[] = [];
  /** Settings that the comparison keeps as columns. */
  kept: readonly Settings[] = [];
  /** Announced to people who do not see the page, where the core has nothing to say. */
  said = "";
  #snapshot: Snapshot | null = null;
  /** The edition of the catalog that the browser has. */
  #keptEdition = -1;
  #listeners = new Set<() => void>();
  #finishing: ReturnType<typeof setTimeout> | undefined;

  /** `hash` is the address that the page opens with. */
  constructor(
    readonly core: Core,
    hash: string,
  ) {
    const { view, query } = readAddress(hash);
    this.view = view;
    this.query = query;
  }

  /** What is drawn when the page is built: nothing can be done with it. */
  static still(snapshot: Snapshot): Store {
    const store = new Store({} as Core, "");
    store.#snapshot = snapshot;
    return store;
  }

  /** The core's newest snapshot. The views are drawn from the first one on. */
  get snapshot(): Snapshot {
    if (this.#snapshot === null) throw new Error("the core has not answered yet");
    return this.#snapshot;
  }

  async start(): Promise<void> {
    const written = readAddress(location.hash);
    const [opening, kept] = await Promise.all([openingCatalog(), keptLists()]);
    const { snapshot, refused } = await this.core.engine.start(opening, written, kept);
    this.#snapshot = snapshot;
    this.#keptEdition = snapshot.edition;
    this.notices = refused.map((text) => ({ text, kind: "refused" }));
    this.#writeAddress();
    this.#finishLater();
    addEventListener("hashchange", () => void this.#follow());
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs an operation of the engine and shows what comes of it. */
  async run(operation: (engine: Remote<Engine>) => Promise<Snapshot>): Promise<void> {
    this.show(await operation(this.core.engine));
  }

  /** Takes a snapshot that an operation answered together with something else. */
  show(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    if (snapshot.edition !== this.#keptEdition) void this.#keep(snapshot);
    this.said = "";
    this.#writeAddress();
    this.changed();
    this.#finishLater();
  }

  /** The visitor's own tools are there on the next visit, unless the browser denies it. */
  async #keep({ edition }: Snapshot): Promise<void> {
    this.#keptEdition = edition;
    const lists = await this.core.engine.lists();
    await keepLists(lists.filter((list) => list.own));
  }

  /** Forgets what the browser keeps of this page, and starts again as on a first visit. */
  async forget(): Promise<void> {
    await this.startOver();
    await forgetEverything();
    location.hash = "";
    location.reload();
  }

  /** Goes to another view; Back returns. */
  go(view: View): void {
    if (view === this.view) return;
    this.view = view;
    history.pushState(null, "", this.address(view));
    this.changed();
    scrollTo({ top: 0, behavior: "instant" });
  }

  /** The address of a view with the state as it is. */
  address(view: View): string {
    const { settings, current, profiles } = this.snapshot;
    return addressOf(view, { settings, script: current.script, query: this.query }, profiles);
  }

  ask(query: string): void {
    this.query = query;
    this.#writeAddress();
    this.changed();
  }

  /** Keeps settings as a column of the comparison; the oldest goes where there are too many. */
  keep(settings: Settings): void {
    const other = this.kept.filter((row) => JSON.stringify(row) !== JSON.stringify(settings));
    this.kept = [...other, settings].slice(-MOST_KEPT);
    this.changed();
  }

  forgetKept(): void {
    this.kept = [];
    this.changed();
  }

  setPrices(prices: Prices): void {
    this.prices = prices;
    this.changed();
  }

  async takeFiles(files: readonly File[]): Promise<void> {
    const { snapshot, readings } = await this.core.engine.readFiles([...files]);
    this.readings = readings;
    this.notices = readings.flatMap(({ problem }): Notice[] => (problem === null ? [] : [{ text: problem, kind: "problem" }]));
    this.show(snapshot);
  }

  async takeText(text: string, server: string, from: string): Promise<boolean> {
    const { snapshot, readings } = await this.core.engine.readText(text, server, from);
    this.readings = readings;
    this.show(snapshot);
    return readings.every((reading) => reading.problem === null);
  }

  async startOver(): Promise<void> {
    this.readings = [];
    await this.run((engine) => engine.startOver());
  }

  tell(notice: Notice): void {
    this.notices = [...this.notices, notice];
    this.changed();
  }

  dismiss(notice: Notice): void {
    this.notices = this.notices.filter((row) => row !== notice);
    this.changed();
  }

  say(text: string): void {
    this.said = text;
    this.changed();
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Has the engine do what can wait, once nothing was asked for a while. */
  #finishLater(): void {
    clearTimeout(this.#finishing);
    if (!this.snapshot.unfinished) return;
    const shown = this.#snapshot;
    const finish = async () => {
      const snapshot = await this.core.engine.finish();
      if (snapshot === null || this.#snapshot !== shown) return;
      this.#snapshot = snapshot;
      this.changed();
    };
    this.#finishing = setTimeout(() => void finish(), FINISH_MS);
  }

  /** Back, Forward, or an address that somebody pasted. */
  async #follow(): Promise<void> {
    const written = readAddress(location.hash);
    this.view = written.view;
    this.query = written.query;
    const { snapshot, refused } = await this.core.engine.adopt(written);
    this.notices = refused.map((text) => ({ text, kind: "refused" }));
    this.show(snapshot);
  }

  #writeAddress(): void {
    const address = this.address(this.view);
    if (location.hash !== address) history.replaceState(null, "", address);
  }
}
