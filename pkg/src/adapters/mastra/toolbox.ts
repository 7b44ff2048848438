/** Puts together the tools of a step, in their order: the discovery tools, the agent's own, the session's. */

import { ToolSiftError } from "../../base/errors.js";
import type { Execute, Session, ToolSift } from "../../index.js";
import { isBridge } from "../lib/catalog.js";
import { fitted, limitOf, type MaxTools } from "../../wire/limits.js";
import { refuseDifferent } from "../lib/same.js";
import type { MastraTool, MastraTools, ProcessorOptions } from "./options.js";
import type { Run } from "./run.js";
import {
  bare,
  type Definition,
  isOurs,
  makeTool,
  mayHold,
  passing,
  type Reader,
  readerOf,
  registerAll,
  requiresApproval,
  schemaOf,
} from "./tools.js";
import { parameterNames } from "../../loop/own-names.js";
import { nobody, type Runners, workOf } from "./tool-calls.js";

/** The tools of a processor, and those of the agents that it serves. */
export class Toolbox {
  readonly #sift: ToolSift;
  readonly #natives: ReadonlyMap<string, MastraTool>;
  readonly #execute: Execute | undefined;
  readonly #limits: MaxTools;

  /** @throws ToolSiftError what `registerAll` throws */
  constructor(sift: ToolSift, options: ProcessorOptions) {
    const { tools = {}, execute } = options;
    this.#sift = sift;
    this.#limits = options;
    this.#natives = new Map(Object.entries(tools));
    this.#execute = execute;
    registerAll(sift, tools);
  }

  /**
   * The tools of one step, as the session has them in order, whose newest come last. Those of the agent's own that the
   * catalog does not have stand behind the discovery tools.
   *
   * @param assembled the session's assembly
   * @param agents the tools that the agent has resolved for the run
   * @param provider Mastra's name of the vendor of the run's model
   * @throws ToolSiftError `name_reserved` for a tool of the agent's that is called as a discovery tool is; `option_invalid`
   * where nothing runs a tool that is sent; `option_conflict` for a tool of the agent's that has the name of a different
   * tool of the catalog
   */
  step(run: Run, assembled: readonly Definition[], agents: MastraTools, provider?: unknown): MastraTools {
    const names = run.session.named([...assembled.map(({ name }) => name), ...Object.keys(agents)]);
    const others = Object.entries(agents).filter(([name, tool]) => !isOurs(tool) && !this.#natives.has(name));
    const catalogs = others.filter(([name]) => names.has(name));
    refuseOthers(run.session, assembled, catalogs);
    const runners = this.#runners(catalogs);
    const own = others.filter(([name]) => !names.has(name));
    const definitions = fitted(assembled, own.length, run.session, limitOf(provider, this.#limits), ({ name }) => name);
    run.sent = new Set(definitions.map(({ name }) => name));
    run.discovery = new Set([...run.sent].filter((name) => !names.has(name)));
    // Mastra finds a tool by its id, too.
    run.own = new Set(own.flatMap(([name, { id }]) => (id === undefined ? [name] : [name, id])));
    for (const [name] of own) {
      if (!run.discovery.has(name)) continue;
      throw new ToolSiftError("name_reserved", `the agent's tool ${name} has the name of a discovery tool; rename it`);
    }
    const given = definitions.map((one) => [one.name, tool(run, one, runners, readerOf(run.driver))] as const);
    const first = given.findIndex(([name]) => !run.discovery.has(name));
    const behind = first < 0 ? given.length : first;
    return Object.fromEntries([...given.slice(0, behind), ...own, ...given.slice(behind)]);
  }

  /** Whether it is one of Mastra's tools whose calls may be held back. */
  holds(name: string): boolean {
    const native = this.#natives.get(name);
    return native !== undefined && mayHold(native);
  }

  /** The tools of calls that were held back, for running only. Where tools are called through a bridge, it is among them. */
  held(run: Run, names: Iterable<string>): MastraTools {
    const runners = this.#runners([]);
    const bridges = this.#sift.settings.reveal === "never" ? this.#discovery(run.session) : [];
    run.discovery = new Set(bridges);
    const tools: [string, MastraTool][] = bridges.map((name) => {
      return [name, makeTool({ name, description: "", inputSchema: {} }, workOf(run, name, runners), readerOf(run.driver))];
    });
    for (const name of names) {
      const native = this.#natives.get(name);
      const work = workOf(run, name, runners);
      if (native !== undefined) tools.push([name, passing(native, work, readerOf(run.driver))]);
      else if (this.#execute !== undefined) tools.push([name, bare(name, work, readerOf(run.driver))]);
    }
    return Object.fromEntries(tools);
  }

  #discovery(session: Session): string[] {
    const { tools } = session.assemble({ format: "mcp" });
    const names = tools.map(({ name }) => name);
    const catalog = session.named(names);
    return names.filter((name) => !catalog.has(name));
  }

  #runners(built: readonly [string, MastraTool][]): Runners {
    return { natives: this.#natives, built: new Map(built), execute: this.#execute };
  }
}

function tool(run: Run, sent: Definition, runners: Runners, read: Reader): MastraTool {
  const { name, inputSchema } = sent;
  const { natives, built, execute } = runners;
  const work = workOf(run, name, runners);
  const known = natives.get(name) ?? built.get(name);
  if (known !== undefined) return passing(known, work, read, sent, parameterNames(run.session, name));
  if (!run.discovery.has(name)) {
    if (execute === undefined) throw nobody(name);
    return makeTool(sent, work, read);
  }
  // A bridge runs any of them, and Mastra asks before it is known which.
  return makeTool(
    sent,
    work,
    read,
    isBridge(inputSchema) && [...natives.values(), ...built.values()].some(requiresApproval),
  );
}

/** A tool of the agent's runs what the catalog describes: it must be the same tool. */
function refuseOthers(session: Session, definitions: readonly Definition[], tools: readonly [string, MastraTool][]): void {
  refuseDifferent(session, definitions, tools, ([name, tool]) => {
    // Mastra has built it already.
    const { jsonSchema } = Object((tool as { parameters?: unknown }).parameters) as { jsonSchema?: object };
    const inputSchema = jsonSchema ?? schemaOf(`the agent's tool ${name}`, tool.inputSchema);
    return { name, description: tool.description, inputSchema };
  });
}
