/**
 * The state of the page, in one place: the core's newest snapshot, the view, what is searched for, prices, and what the page
 * has to say. Views read it through `useStore` and change it by calling `run` with an operation of the engine, or one of the
 * methods below. The address always says what is shown.
 */
import type { Remote } from "comlink";
import type { Core } from "../core/client.ts";
import type { Engine } from "../core/engine.ts";
import type { Reading, Snapshot } from "../core/types.ts";
import { addressOf, NO_PLACE, readAddress, type Place, type View, type Written } from "../model/address.ts";
import type { Prices } from "../model/bill.ts";
import { plural } from "../model/numbers.ts";
import type { Door, Target } from "../model/everything.ts";
import type { SettingKey, Settings } from "../model/settings.ts";
import { forgetEverything } from "../core/keep.ts";
import { openingCatalog } from "../model/source.ts";

/** Columns that the comparison keeps at most. */
const MOST_KEPT = 4;

/** Nobody is kept waiting by work that begins this long after the last change. */
const FINISH_MS = 250;

/** Something that the page tells above the view until it is put away. */
export interface Notice {
  text: string;
  /** `lacks` is what a link could not hold. */
  kind: "refused" | "problem" | "lacks";
}

export class Store {
  view: View;
  /** What is looked for in the search lab. */
  query: string;
  prices: Prices;
  place: Place;
  /** The card that the address holds. */
  card: string;
  notices: readonly Notice[] = [];
  /** Whether the scene shows a request without tool search: what the page begins with. */
  without = true;
  /** Whether the scene has been switched: by whoever looks, or once by itself. */
  introduced = false;
  /** Whether the sheet for one's own tools is open. */
  bringing = false;
  /** The door to one's own tools that is open there. */
  door: Door = "paste";
  /** Another menu of the bar that is open. */
  menu: "profile" | "share" | null = null;
  /** The setting that was asked for: it gets the focus. */
  setting: SettingKey | null = null;
  /** Whether the search for everything on the page is open. */
  seeking = false;
  /** What was pasted outside of any field. */
  pasted = "";
  /** What became of the last files and pastes. */
  readings: readonly Reading[] = [];
  /** Settings that the comparison keeps as columns. */
  kept: readonly Settings[] = [];
  /** Announced to people who do not see the page, where the core has nothing to say. */
  said = "";
  #snapshot: Snapshot | null = null;
  /** How many changes were shown before the core answered. */
  #asked = 0;
  /** The edition of the catalog that the browser has. */
  #keptEdition = -1;
  #listeners = new Set<() => void>();
  #finishing: ReturnType<typeof setTimeout> | undefined;

  /** `hash` is the address that the page opens with. */
  constructor(
    readonly core: Core,
    hash: string,
  ) {
    const { view, query, prices, place, card } = readAddress(hash);
    this.view = view;
    this.query = query;
    this.prices = prices;
    this.place = place;
    this.card = card;
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
    const { snapshot, refused } = await this.core.engine.resume(await openingCatalog(), written);
    this.#snapshot = snapshot;
    this.#keptEdition = snapshot.edition;
    this.without = snapshot.current.turns.length < 2;
    this.notices = [...refused.map((text): Notice => ({ text, kind: "refused" })), ...this.#lacking(written)];
    this.#writeAddress();
    this.#finishLater();
    addEventListener("hashchange", () => void this.#follow());
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs an operation of the engine and shows what comes of it. A control of which the core decides the value shows the new
   * one at once: `meanwhile` has it.
   */
  async run(operation: (engine: Remote<Engine>) => Promise<Snapshot>, meanwhile?: Partial<Snapshot>): Promise<void> {
    if (meanwhile) {
      this.#snapshot = { ...this.snapshot, ...meanwhile };
      this.#asked += 1;
      this.changed();
    }
    const asked = this.#asked;
    const snapshot = await operation(this.core.engine);
    // An answer from before a later change would turn its control back. The later answer holds this one.
    if (asked === this.#asked) this.show(snapshot);
  }

  /** Takes a snapshot that an operation answered together with something else. */
  show(snapshot: Snapshot): void {
    if (snapshot.current.turns.length > 1) this.without = false;
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
    await this.core.engine.keep();
  }

  /** Forgets what the browser keeps of this page, and starts again as on a first visit. */
  async forget(): Promise<void> {
    await this.startOver();
    await forgetEverything();
    location.hash = "";
    location.reload();
  }

  /** Goes to another view, or another place in it; Back returns. */
  go(view: View, place: Partial<Place> = {}): void {
    const there = { ...NO_PLACE, ...place };
    if (view === this.view && JSON.stringify(there) === JSON.stringify(this.place)) return;
    this.view = view;
    this.place = there;
    history.pushState(null, "", this.address(view));
    this.changed();
    scrollTo({ top: 0, behavior: "instant" });
  }

  /** The address of a view with the state as it is. */
  address(view: View): string {
    const { settings, current, profiles } = this.snapshot;
    const place = view === this.view ? this.place : NO_PLACE;
    const state = {
      settings,
      script: current.script,
      query: this.query,
      prices: this.prices,
      place,
      own: this.ownTools,
      card: this.card,
    };
    return addressOf(view, state, profiles);
  }

  /** Tools that the visitor brought: no link holds them. */
  get ownTools(): number {
    return this.snapshot.sources.reduce((sum, { own, registered }) => sum + (own ? registered : 0), 0);
  }

  /** Shows a part of the view. A zoom is a step that Back undoes. */
  showPart(place: Partial<Place>): void {
    const zooms = place.tab === undefined && (place.zoom ?? this.place.zoom) !== this.place.zoom;
    this.place = { ...(place.tab === undefined ? this.place : NO_PLACE), ...place };
    if (zooms) history.pushState(null, "", this.address(this.view));
    else this.#writeAddress();
    this.changed();
  }

  /** Takes a text that was pasted anywhere on the page, and shows what became of it. */
  async paste(text: string): Promise<void> {
    this.bringing = true;
    const taken = await this.takeText(text, "pasted", "a paste");
    this.pasted = taken ? "" : text;
    this.changed();
  }

  openTools(open: boolean): void {
    if (this.bringing && !open) {
      // What the sheet told is not told again.
      this.notices = this.notices.filter(({ kind }) => kind !== "problem");
      this.readings = [];
    }
    this.bringing = open;
    this.pasted = "";
    this.changed();
  }

  openMenu(menu: "profile" | "share" | null): void {
    this.menu = menu;
    this.changed();
  }

  choose(door: Door): void {
    this.door = door;
    this.changed();
  }

  /** Opens and closes the search for everything; what lies below it is put away. */
  seek(open: boolean): void {
    this.seeking = open;
    this.menu = null;
    this.openTools(false);
  }

  /** Goes to what was found on the page. */
  async reach(target: Target): Promise<void> {
    this.seek(false);
    switch (target.kind) {
      case "view":
        return this.go(target.view, target.place);
      case "query":
        this.query = target.query;
        return this.go("search");
      case "door":
        this.door = target.door;
        return this.openTools(true);
      case "profile":
        return this.run((engine) => engine.chooseProfile(target.profile));
      case "setting":
        this.setting = target.setting;
        return this.openMenu("profile");
    }
  }

  closeCard(): void {
    this.card = "";
    this.#writeAddress();
    this.changed();
  }

  /** Shows a request without tool search, or with it. */
  showWithout(without: boolean): void {
    this.without = without;
    this.introduced = true;
    this.changed();
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
    this.#writeAddress();
    this.changed();
  }

  async takeFiles(files: readonly File[]): Promise<void> {
    const { snapshot, readings } = await this.core.engine.readFiles([...files]);
    this.readings = readings;
    this.notices = readings.flatMap(({ problem }): Notice[] =>
      problem === null ? [] : [{ text: problem, kind: "problem" }],
    );
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
      if (this.#snapshot !== shown) return;
      // The end of an earlier run may have changed the catalog meanwhile, and shows nothing of its own.
      if (snapshot === null) return this.#finishLater();
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
    this.prices = written.prices;
    this.place = written.place;
    this.card = written.card;
    const { snapshot, refused } = await this.core.engine.adopt(written);
    this.notices = [...refused.map((text): Notice => ({ text, kind: "refused" })), ...this.#lacking(written)];
    this.show(snapshot);
  }

  /** What the sender of a link had and the link does not. */
  #lacking({ own }: Written): Notice[] {
    if (own === 0 || this.ownTools > 0) return [];
    const text = `The sender of this link had ${plural(own, "tool")} of their own, which no link holds. You see the page’s own tools, so numbers differ.`;
    return [{ kind: "lacks", text }];
  }

  #writeAddress(): void {
    const address = this.address(this.view);
    if (location.hash !== address) history.replaceState(null, "", address);
  }
}
