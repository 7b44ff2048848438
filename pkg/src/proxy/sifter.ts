/** Handles the requests of clients: decides which requests need tool search, and runs their rounds. */

import { ToolSiftError } from "../base/errors.js";
import { reasonOf } from "../base/values.js";
import { whenAborted } from "../base/wait.js";
import { type Clock, start } from "../loop/driver.js";
import { type Catalog, Catalogs, TOOLS } from "./catalogs.js";
import { emulated, shown, withoutBetas } from "./emulate/index.js";
import type { Translated } from "./emulate/shared.js";
import { Exchange } from "./exchange.js";
import { failing } from "./failures.js";
import { ALWAYS_HEADER, downwards } from "./headers.js";
import { JsonText } from "./json-text.js";
import type { ProxySettings } from "./options.js";
import { answered, type Running } from "./request.js";
import { States } from "./states.js";
import { streamed } from "./stream.js";
import { tell } from "./tell.js";
import { typed } from "./typed.js";
import { unstreamed } from "./unstreamed.js";
import type { Route, Wire, WireRequest } from "./wire.js";

/** The beginning of the credentials in requests that AWS's clients have signed. */
const SIGNED = "AWS4-";
/** The key of tools in an old form of Chat Completions. */
const LEGACY = "functions";

/** A client's request, and the functions that send it to the upstream. */
export interface Incoming {
  url: URL;
  headers: Headers;
  /** The body as text. */
  text: string;
  /** Measures the time since the request arrived. */
  clock: Clock;
  signal: AbortSignal | undefined;
  /** The tools that are always sent, if the request used the vendor's own tool search and was rewritten. */
  always?: readonly string[] | undefined;
  /** Sends the unchanged request. */
  pass(): Promise<Response>;
  /** Gets the object that the upstream stores under an id, below the path of the request. */
  kept(id: string, signal: AbortSignal): Promise<Response>;
  /** Sends the request with another body. */
  send(body: string, signal: AbortSignal, change?: (headers: Headers) => void): Promise<Response>;
}

/** Adds tool search to requests. */
export class Sifter {
  readonly #settings: ProxySettings;
  readonly #catalogs: Catalogs;
  readonly #states: States;
  readonly #warned = new WeakSet<object>();

  constructor(settings: ProxySettings) {
    this.#settings = settings;
    const problem = (message: string) => tell(settings, { type: "problem", message });
    this.#catalogs = new Catalogs(settings.sift, settings.maxCatalogs, {
      enrich: settings.enrich,
      tell: (status) => tell(settings, { type: "words", ...status }),
      failed: (error) => problem(`no words are written: ${reasonOf(error)}`),
    });
    this.#states = new States(settings, problem);
  }

  /**
   * Answers a request to one of the vendors' APIs.
   *
   * @throws ToolSiftError if no answer is possible; errors of the upstream's `fetch`; the client's reason of abortion
   */
  async answer(wire: Wire, route: Route, incoming: Incoming): Promise<Response> {
    const { text, url: target } = incoming;
    const clock = start();
    const body = JsonText.of(text, this.#catalogs.known(wire));
    const { within: key, ...inner } = route;
    if (key !== undefined && body?.has(key)) return this.answer(wire, inner, inside(incoming, body, key));
    if (incoming.headers.get("authorization")?.startsWith(SIGNED)) {
      if (body?.has(TOOLS)) this.#passes("its signature holds for its body alone");
      return incoming.pass();
    }
    const isPlain = body !== undefined && this.#catalogs.isPlain(wire, body.raw(TOOLS));
    const textToScan = isPlain ? body.with({ [TOOLS]: undefined }) : text;
    const { headers: given } = incoming;
    const about = { format: wire.format, url: target, text, textToScan };
    const loaded = (id: string | undefined) => this.#states.loaded(id, given, target.searchParams);
    const translated = incoming.always !== undefined ? undefined : await emulated(this.#settings.emulate, about, loaded);
    if (translated !== undefined) {
      const ordinary = translatedTo(incoming, translated);
      const { maxReplyBytes } = this.#settings;
      const answer = await (ordinary.always === undefined ? ordinary.pass() : this.answer(wire, inner, ordinary));
      return shown(answer, translated, maxReplyBytes);
    }
    const wireRequest = this.#read(wire, route, body);
    const tools = wireRequest?.body.raw(TOOLS);
    if (wireRequest === undefined || tools === undefined) return incoming.pass();
    const used = this.#catalog(wire, tools, [given.get(ALWAYS_HEADER) ?? "", ...(incoming.always ?? [])].join(","));
    if (used === undefined) return incoming.pass();
    try {
      const { headers, url } = incoming;
      const conversation = await this.#states.of(wireRequest, used.catalog.names, headers, url.searchParams);
      const exchange = new Exchange(wireRequest, used.catalog, conversation, this.#settings, clock);
      if (exchange.active) this.#warn(wireRequest, used.catalog);
      const end = ending(incoming.signal, this.#settings.timeoutMs);
      let isEnded = false;
      const running: Running = {
        wire,
        request: wireRequest,
        exchange,
        settings: this.#settings,
        signal: end.signal,
        isLost: conversation.isLost,
        kept: (id) => incoming.kept(id, end.signal),
        send: (body) => send(incoming, body, end.signal),
        done: (ended) => conversation.save({ ...ended, revealed: exchange.revealed }),
        end: (outcome) => {
          if (isEnded) return;
          isEnded = true;
          end.clear();
          exchange.close();
          used.release();
          if (route.counts) return;
          const { model, stream } = wireRequest;
          const about = { wire: wire.format, model, stream, outcome, ...incoming.clock(), ...exchange.costs };
          tell(this.#settings, { type: "request", ...about });
        },
      };
      return await this.#runRounds(running, route, incoming);
    } catch (error) {
      used.release();
      throw error;
    }
  }

  /** Reports, once for each tool list, that an agent may be unable to end its run. */
  #warn({ choice, named, beginning }: WireRequest, catalog: Catalog): void {
    const isDemandedAgain = choice === "demanded" && named.length === 0 && beginning.reply !== undefined;
    if (!isDemandedAgain || catalog.endsRuns || this.#warned.has(catalog.words)) return;
    this.#warned.add(catalog.words);
    const why = "every reply has to call a tool, and none has a name that is known to end the run";
    const help = `the last of the list is sent in full; name another in ${ALWAYS_HEADER} or alwaysAvailable (--always)`;
    tell(this.#settings, { type: "problem", message: `${why}: ${help}` });
  }

  /** Runs the rounds of a request, or passes it on if nothing is deferred, and reports how it ended. */
  async #runRounds(running: Running, { counts }: Route, incoming: Incoming): Promise<Response> {
    const { request, exchange, signal } = running;
    try {
      if (exchange.active && counts) {
        const response = await running.send(exchange.body());
        running.end(response.ok ? "done" : "upstream_error");
        return answered(running, response);
      }
      if (exchange.active) return await (request.stream ? streamed(running) : unstreamed(running));
      exchange.pass();
      const response = await incoming.pass();
      running.end(response.ok ? "done" : "upstream_error");
      return answered(running, response);
    } catch (error) {
      running.end(signal.aborted && !ToolSiftError.is(signal.reason) ? "aborted" : "failed");
      throw signal.aborted && ToolSiftError.is(signal.reason) ? signal.reason : error;
    }
  }

  /** Reads the request. An invalid one is left for the upstream to refuse; one that cannot be searched is reported. */
  #read(wire: Wire, route: Route, body: JsonText | undefined): WireRequest | undefined {
    try {
      if (body?.has(LEGACY)) return this.#passes('"functions" is the old form of "tools"');
      const wireRequest = body?.has(TOOLS) ? wire.read(body, route) : undefined;
      return typeof wireRequest === "string" ? this.#passes(wireRequest) : wireRequest;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #passes(why: string): undefined {
    tell(this.#settings, { type: "problem", message: `a request passes through in full: ${why}` });
  }

  /** Returns the catalog of a tool list. A list that the core cannot register is passed on in full. */
  #catalog(wire: Wire, tools: string, neverDeferred: string) {
    try {
      return this.#catalogs.use(wire, tools, neverDeferred);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      if (!ToolSiftError.is(error) || error.code === "option_invalid" || error.code === "option_unknown") throw error;
      tell(this.#settings, { type: "problem", message: `a list of tools passes through in full: ${error.message}` });
      return undefined;
    }
  }
}

/** Returns the request that is inside a key of the body as a request of its own. */
function inside(incoming: Incoming, body: JsonText, key: string): Incoming {
  return {
    ...incoming,
    text: body.raw(key)!,
    send: (text, signal, change) => incoming.send(body.with({ [key]: text }), signal, change),
  };
}

function translatedTo(incoming: Incoming, { text, always }: Translated): Incoming {
  const send: Incoming["send"] = (body, signal) => incoming.send(body, signal, withoutBetas);
  const pass = async () => downwards(await send(text, incoming.signal ?? new AbortController().signal));
  return { ...incoming, text, always, pass, send };
}

/** Sends one request to the upstream. An answer after the abortion is discarded. */
async function send(incoming: Incoming, body: string, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted();
  const response = await incoming.send(body, signal);
  if (signal.aborted) await response.body?.cancel(signal.reason).catch(() => {});
  signal.throwIfAborted();
  return typed(response);
}

/** Returns a signal that is aborted with the client's request, or after the time limit. */
function ending(signal: AbortSignal | undefined, timeoutMs: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const late = () => {
    controller.abort(failing(504, "limit_out_of_range", `the request took longer than ${timeoutMs} ms, the limit`));
  };
  const timer = setTimeout(late, timeoutMs);
  (timer as { unref?: () => void }).unref?.();
  const leave = whenAborted(signal, () => controller.abort(signal!.reason));
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      leave();
    },
  };
}
