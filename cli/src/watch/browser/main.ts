/**
 * The page of `mcp watch`, which runs in the browser: it asks for the state every second, draws it, and sends what a person
 * approves and switches. Names go back to the server as they came.
 */

import type { Happened, Running } from "../running.js";
import type { Quarantined, State } from "../state.js";
import type { Switches } from "../switches.js";
import { type Content, el, opening, row, soft, td } from "./elements.js";

type Server = Running["servers"][number];

const COLOURS: Readonly<Record<Server["state"], string>> = { running: "good", starting: "wait", down: "bad", idle: "soft" };
const LOOK_MS = 1_000;
const MOST_EVENTS = 200;

const root = document.querySelector("main")!;
/** The state that is drawn, as it was sent. */
let drawn = "";

const number = (value: number): string => Math.max(0, value).toLocaleString("en-US");
const time = (at: number): string => new Date(at).toLocaleTimeString([], { hour12: false });
const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Sends what a person asked for, and draws what came of it. */
async function send(what: "approve" | "switch", body: object, button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  const headers = { "content-type": "application/json" };
  const answer = await fetch(what, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => undefined);
  if (answer?.ok !== true) alert(answer === undefined ? "mcp watch has ended." : await answer.text());
  drawn = "";
  await look();
}

const toggle = (isOn: boolean, body: { server: string; tool?: string }): HTMLButtonElement =>
  el(
    "button",
    { onClick: (button) => void send("switch", { ...body, on: !isOn }, button) },
    isOn ? "switch off" : "switch on",
  );

const figure = (value: string, text: string, more: string): Node =>
  el("div", { className: "card" }, el("b", {}, value), el("div", {}, text), el("div", { className: "soft" }, more));

function figures({ tokensSaved, tokensSavedOfSent, searches, tools, lists, since }: State["figures"]): Node {
  const calls = tools.reduce((sum, one) => sum + one.calls, 0);
  const failed = tools.reduce((sum, one) => sum + one.failed, 0);
  const { found, doubtful, empty, followed } = searches;
  const outcomes = `${number(found)} found, ${number(doubtful)} doubtful, ${number(empty)} empty`;
  return el(
    "div",
    { className: "figures" },
    figure(
      number(tokensSavedOfSent),
      "tokens saved of what the servers send",
      `${number(tokensSaved)} of what remains without unreached parts`,
    ),
    figure(number(found + doubtful + empty), "searches", `${outcomes}; ${number(followed)} led to a call`),
    figure(number(calls), "calls", `${number(failed)} failed`),
    figure(number(lists), "tool lists answered", `since ${new Date(since).toLocaleString()}`),
  );
}

function difference(text: string): Node {
  const kinds: Record<string, string> = { "    + ": "add", "    - ": "cut" };
  const lines = text.split("\n").map((line) => el("span", { className: kinds[line.slice(0, 6)] ?? "" }, line || " "));
  return el("pre", {}, lines);
}

function quarantined({ server, tool, hash, seen, isIncomplete, findings, difference: text }: Quarantined): Node {
  const approve = (button: HTMLButtonElement) => void send("approve", { server, tool, hash }, button);
  const lost = ". The earlier or the new definition was not kept: the difference is not complete.";
  return el(
    "div",
    { className: "card" },
    el("header", {}, el("b", {}, `${server}: ${tool}`), el("button", { className: "main", onClick: approve }, "approve")),
    el("div", { className: "soft" }, `changed; seen ${new Date(seen).toLocaleString()}${isIncomplete ? lost : ""}`),
    findings.map(({ where, detail }) => el("div", { className: "bad" }, `suspicious in the ${where}: ${detail}`)),
    text === "" ? null : difference(text),
  );
}

function serverRow(
  gateway: Running,
  { name, tools: count, state, quarantined: waiting, rejected, error }: Server,
  off: Switches,
): Node {
  const tools = (gateway.tools ?? []).filter((tool) => tool.server === name);
  const silent = off.tools.filter((one) => one.startsWith(`${name}:`)).map((one) => one.slice(name.length + 1));
  const list = el(
    "ul",
    { className: "tools" },
    tools.map((tool) => el("li", {}, tool.name, toggle(true, { server: name, tool: tool.tool }))),
    silent.map((tool) => el("li", { className: "soft" }, `${tool} (off)`, toggle(false, { server: name, tool }))),
  );
  const left = rejected.map((one) => `left out: ${one.name}: ${one.message}`);
  const problems = [...(error ? [error] : []), ...left];
  const many = counted(count, "tool");
  const summary = silent.length === 0 ? many : `${many}, ${silent.length} off`;
  const isEmpty = tools.length + silent.length === 0;
  const wait = `${waiting.length} quarantined until you approve ${waiting.length === 1 ? "it" : "them"}`;
  return el(
    "div",
    { className: "server" },
    el("div", {}, name),
    el("div", { className: COLOURS[state] }, state),
    toggle(true, { server: name }),
    waiting.length === 0 ? null : el("div", { className: "wide wait" }, wait),
    problems.map((text) => el("div", { className: "wide bad" }, text)),
    el("div", { className: "wide" }, isEmpty ? soft(many) : opening(`${gateway.pid} ${name}`, summary, list)),
  );
}

function gatewayCard(gateway: Running, off: Switches): Node {
  const { origin, door, pid, started, servers } = gateway;
  return el(
    "div",
    { className: "card" },
    el("div", { className: "soft" }, `${origin} (${door}, process ${pid}, since ${time(started)})`),
    servers.map((one) => serverRow(gateway, one, off)),
  );
}

const chips = (names: readonly string[]): Node[] => names.map((name) => el("span", { className: "chip" }, name));

function details(event: Happened): Content[] {
  switch (event.type) {
    case "search": {
      const { query, found, shown } = event;
      if (found.length === 0) return [query, el("div", { className: "wait" }, "nothing found")];
      return [query, el("div", {}, shown.length > 0 ? "loaded " : "named ", chips(shown.length > 0 ? shown : found))];
    }
    case "call": {
      const { server, tool, outcome, code, ms } = event;
      const how = code === undefined ? outcome : `${outcome} (${code})`;
      return [`${server}: ${tool} `, el("span", { className: outcome === "ok" ? "good" : "bad" }, how), soft(` ${ms} ms`)];
    }
    case "words": {
      const { written, error } = event.words;
      return [`${event.server}: ${written} tools got words${error === null ? "" : `; ${error}`}`];
    }
    case "list":
      return [`${event.tools} tools listed, ${number(event.tokens)} tokens instead of ${number(event.sentTokens)}`];
    default: {
      const { server, state, error } = event;
      const how = el("span", { className: COLOURS[state] }, state);
      return [`${server} `, how, error === undefined ? null : ` ${error}`];
    }
  }
}

function activity(gateways: readonly Running[]): Node {
  const all = gateways.flatMap(({ events = [] }) => events);
  if (all.length === 0) return el("p", { className: "soft" }, "Nothing has happened yet.");
  const latest = all.sort((a, b) => b.time - a.time).slice(0, MOST_EVENTS);
  const rows = latest.map((event) =>
    row(td("time soft", time(event.time)), td("name", event.type), td("text", ...details(event))),
  );
  return el("div", { className: "card" }, el("table", {}, rows));
}

function show({ gateways, quarantined: waiting, off, figures: totals, problems }: State): void {
  const silent = off.servers.map((name) => row(td("text", name), td("", toggle(false, { server: name }))));
  const none = el("p", { className: "soft" }, "No gateway runs. A client starts one with: npx toolsift mcp");
  root.replaceChildren(
    el("header", {}, el("h1", {}, "toolsift"), soft(counted(gateways.length, "gateway runs", "gateways run"))),
    figures(totals),
    ...problems.map((text) => el("p", { className: "bad" }, text)),
    ...(waiting.length === 0 ? [] : [el("h2", {}, `Quarantined until you approve them (${waiting.length})`)]),
    ...waiting.map(quarantined),
    el("h2", {}, "Servers"),
    ...(gateways.length === 0 ? [none] : gateways.map((one) => gatewayCard(one, off))),
  );
  if (silent.length > 0) {
    const about = el("div", { className: "soft" }, "Switched off, for all gateways");
    root.append(el("div", { className: "card" }, about, el("table", {}, silent)));
  }
  root.append(el("h2", {}, "What happened"), activity(gateways));
}

/** Asks for the state, and draws it if it has changed. */
async function look(): Promise<void> {
  const answer = await fetch("state").then(
    (one) => (one.ok ? one.text() : undefined),
    () => undefined,
  );
  document.title = answer === undefined ? "toolsift (ended)" : "toolsift";
  root.classList.toggle("soft", answer === undefined);
  if (answer === undefined || answer === drawn) return;
  drawn = answer;
  show(JSON.parse(answer) as State);
}

void look();
setInterval(look, LOOK_MS);
