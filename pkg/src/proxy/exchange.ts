/** Runs one request of a client as several rounds: builds their bodies and answers the model's calls of discovery tools. */

import { ToolSiftError } from "../base/errors.js";
import { Hop } from "../hop/hop.js";
import type { Session } from "../index.js";
import type { Clock } from "../loop/driver.js";
import { type Decided, rebuilt, revealSome } from "../loop/rounds.js";
import type { ModelCall } from "../loop/types.js";
import type { Cost, ToolRole } from "../types/index.js";
import type { Reply } from "../wire/api.js";
import { fitted, limitOf, type ToolLimit } from "../wire/limits.js";
import type { Catalog } from "./catalogs.js";
import type { Costs } from "./headers.js";
import type { ProxySettings } from "./options.js";
import type { ConversationState, Recovered, RoundRequest, Turn, WireRequest } from "./wire.js";

/** One request of a client. Its session is closed when the request ends. */
export class Exchange {
  /** True if tools are deferred; otherwise the request is passed on unchanged. */
  readonly active: boolean;
  #request: WireRequest;
  readonly #catalog: Catalog;
  readonly #settings: ProxySettings;
  readonly #hop: Hop;
  readonly #session: Session;
  #chain: ConversationState["chain"];
  /** The client's tools that are sent in every round. */
  readonly #named: readonly string[];
  readonly #turns: Turn[] = [];
  #real: ReadonlySet<string> = new Set();
  readonly #clock: Clock;
  #costs: Omit<Costs, "requests">;

  /** @param known the saved state of the conversation, which its messages do not contain */
  constructor(
    request: WireRequest,
    catalog: Catalog,
    { revealed: known, chain }: ConversationState,
    settings: ProxySettings,
    clock: Clock,
  ) {
    this.#request = request;
    this.#catalog = catalog;
    this.#settings = settings;
    this.#chain = chain;
    this.#clock = clock;
    this.#named = namedBy(request, catalog);
    this.#hop = new Hop(catalog.sift, "proxy", settings, request, (session) => this.#recall(session, known));
    this.#session = this.#hop.session;
    try {
      const [, rankerVersion] = this.#session.ranker;
      const { active, size } = this.#session.assemble({ format: catalog.wire.format });
      this.active = active;
      this.#costs = { active, full: size.full, sent: size.full, rankerVersion, ms: 0 };
    } catch (error) {
      this.#session.close();
      throw error;
    }
  }

  get costs(): Costs {
    return { ...this.#costs, requests: this.#hop.requests };
  }

  get revealed(): string[] {
    return this.#session.revealed;
  }

  /**
   * Returns the body of the next round. The last round has no discovery tools, so that the model must answer.
   *
   * @throws ToolSiftError `limit_out_of_range`
   */
  body(): string {
    const { wire } = this.#catalog;
    const round = this.#round(this.#hop.begin());
    const body = wire.write(this.#request, round);
    this.#sends(round.cost);
    return body;
  }

  /** Counts a request that is passed on unchanged. */
  pass(): void {
    this.#hop.begin();
    this.#sends(this.#costs.full);
  }

  #sends(sent: Cost): void {
    const ms = this.#costs.ms || this.#clock().duration;
    this.#costs = { ...this.#costs, sent, ms };
  }

  /** Replaces the request by the recovered one, after the proxy has lost its state. */
  goOn({ request, chain }: Recovered): void {
    this.#request = request;
    this.#chain = chain;
  }

  isReal = (name: string): boolean => this.#real.has(name);

  isListed = (name: string): boolean =>
    this.#catalog.searched.has(name) || this.#catalog.always.some((tool) => tool.name === name);

  async settle(reply: Reply, signal: AbortSignal): Promise<Decided> {
    const isReal = ({ own, name }: ModelCall) => own !== undefined || this.#real.has(name);
    const outcome = await this.#hop.settle(reply.calls, isReal, signal);
    if (!outcome.isFinal) this.#turns.push({ reply, answers: outcome.answers });
    return outcome;
  }

  close(): void {
    this.#session.close();
  }

  /** Loads the tools that were loaded before, in the old order, and then the other tools that the messages call. */
  #recall(session: Session, known: readonly string[]): void {
    revealSome(session, known);
    rebuilt(session, () => {
      try {
        session.fromMessages(this.#request.messages, { format: this.#catalog.wire.format });
      } catch (error) {
        // The upstream refuses messages that cannot be parsed.
        if (!ToolSiftError.is(error)) throw error;
      }
    });
    revealSome(session, this.#named);
  }

  #round(isLast: boolean): RoundRequest & { cost: Cost } {
    const { searched, always, breakpoint, wire } = this.#catalog;
    const { systemPrompt, size, ...assembly } = this.#session.assemble({ format: wire.format });
    const seen = fitted(this.#seen(assembly), always.length, this.#session, this.#limit(), ({ name }) => name);
    const there = new Set(seen.map(({ name }) => name));
    // A tool that the client's `tool_choice` names must be sent, even if the settings load no tools.
    const named = this.#named.filter((name) => !there.has(name));
    const tools = [...seen.filter(({ isReal }) => isReal || !isLast), ...this.#inFull(named)];
    // A call is demanded, and no callable tool was found: only the tool that may end the run is sent, or none.
    const guessed = this.#named === this.#request.named ? 0 : this.#named.length;
    const isForced = isLast && this.#request.choice === "demanded" && tools.length + always.length === guessed;
    const sent = isForced ? this.#inFull([...searched.keys()]) : tools;
    this.#real = new Set([...always, ...sent.filter(({ isReal }) => isReal)].flatMap(({ name }) => name ?? []));
    return {
      always: always.map(({ text }) => text),
      tools: sent.map(({ text }) => text),
      breakpoint,
      systemPrompt: isLast ? "" : systemPrompt,
      turns: this.#turns,
      chain: this.#chain,
      isWrapped: this.#settings.sift.surface === "constant",
      cost: isForced ? size.full : size.request,
    };
  }

  /** Returns the tools for the model, in the client's own texts. */
  #seen({ tools, roles }: { tools: readonly object[]; roles: readonly ToolRole[] }): Seen[] {
    const { wire, searched } = this.#catalog;
    return wire.definitions(tools).map((definition, at) => {
      const name = wire.api.nameOf(definition) ?? "";
      const own = searched.get(name);
      if (own === undefined || roles[at] === "discovery")
        return { name, text: JSON.stringify(definition), isReal: roles[at] !== "discovery" };
      return { name, text: roles[at] === "stub" ? wire.stub(own.definition, definition) : own.text, isReal: true };
    });
  }

  #inFull(names: readonly string[]): Seen[] {
    const { searched } = this.#catalog;
    return names.flatMap((name) => (searched.has(name) ? [{ name, text: searched.get(name)!.text, isReal: true }] : []));
  }

  /** Anthropic allows any number of tools. */
  #limit(): ToolLimit | undefined {
    const { maxTools } = this.#settings;
    return limitOf(this.#catalog.wire.format, { maxTools });
  }
}

interface Seen {
  name: string;
  text: string;
  isReal: boolean;
}

/**
 * Returns the tools that the client's choice names. If the choice demands any call, and no tool is known that ends the run,
 * returns the last tool of the list, because frameworks append such a tool.
 */
function namedBy({ named, choice }: WireRequest, { searched, endsRuns }: Catalog): readonly string[] {
  return choice === "demanded" && named.length === 0 && !endsRuns ? [...searched.keys()].slice(-1) : named;
}
