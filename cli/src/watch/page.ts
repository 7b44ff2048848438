/** The page of `mcp watch`. It loads nothing, and writes what servers and models said as text, never as markup. */

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6470; --line: #dfe3e8; --back: #f6f7f9; --card: #fff; --good: #1a7f4b;
  --bad: #c2362b; --wait: #9a6700; --add: #e6f4ea; --cut: #fbe9e7; --accent: #2b5fc2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #9aa4b0; --line: #343a42; --back: #16191d; --card: #1e2227;
  --good: #58c78b; --bad: #ff8577; --wait: #e3b341; --add: #17321f; --cut: #3c1d1a; --accent: #7fa8ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.25rem; margin: 0; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; flex-wrap: wrap; }
.soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem; margin-top: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin-bottom: .75rem; overflow-x: auto; }
.figures .card { margin: 0; } .figures b { display: block; font-size: 1.5rem; font-weight: 600; line-height: 1.3; }
.server { display: grid; grid-template-columns: 1fr 5rem auto; gap: .1rem .75rem; padding: .5rem 0; align-items: baseline; overflow-wrap: anywhere; }
.server + .server { border-top: 1px solid var(--line); } .server .wide { grid-column: 1 / -1; } .server > :first-child { font-weight: 600; }
table { border-collapse: collapse; width: 100%; } td { text-align: left; padding: .3rem .75rem .3rem 0; vertical-align: top; }
tr + tr td { border-top: 1px solid var(--line); }
td.time, td.name { white-space: nowrap; } td.text { overflow-wrap: anywhere; width: 100%; }
pre { margin: .5rem 0; padding: .5rem .75rem; background: var(--back); border-radius: .35rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
pre span { display: block; } pre .add { background: var(--add); } pre .cut { background: var(--cut); }
button { font: inherit; color: var(--accent); background: none; border: 1px solid var(--line); border-radius: .35rem; padding: .1rem .6rem; cursor: pointer; white-space: nowrap; }
button.main { background: var(--accent); color: var(--card); border-color: var(--accent); } button:disabled { opacity: .5; }
details > summary { cursor: pointer; } .tools { columns: 18rem; column-gap: 2rem; margin: .25rem 0 .5rem; padding: 0; list-style: none; }
.tools li { display: flex; justify-content: space-between; align-items: baseline; gap: .5rem; break-inside: avoid; padding: .1rem 0; overflow-wrap: anywhere; }
.chip { display: inline-block; background: var(--back); border-radius: .35rem; padding: 0 .4rem; margin: 0 .25rem .15rem 0; }
`;

// Runs in the browser. Names go back to the server as they came; what is shown has its hidden characters written out.
const SCRIPT = `
"use strict";
const root = document.querySelector("main");
const open = new Set();
let before = "";
const visible = (text) => String(text).replace(/(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]/gu, (one) => "\\\\u{" + one.codePointAt(0).toString(16) + "}");
const number = (value) => Math.max(0, value).toLocaleString("en-US");
const time = (at) => new Date(at).toLocaleTimeString([], { hour12: false });
function el(tag, about, ...inside) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(about ?? {})) key === "on" ? made.addEventListener("click", value) : (made[key] = value);
  for (const one of inside.flat()) if (one !== null && one !== undefined) made.append(one instanceof Node ? one : visible(one));
  return made;
}
const rowOf = (...cells) => el("tr", {}, cells.map((cell) => cell instanceof HTMLTableCellElement ? cell : el("td", {}, cell)));
const td = (className, ...inside) => el("td", { className }, ...inside);
async function send(what, body, button) {
  button.disabled = true;
  const answer = await fetch(what, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).catch(() => undefined);
  if (answer?.ok !== true) alert(answer === undefined ? "mcp watch has ended." : await answer.text());
  before = "";
  await look();
}
function opening(key, summary, ...inside) {
  const made = el("details", { open: open.has(key) }, el("summary", {}, summary), ...inside);
  made.addEventListener("toggle", () => made.open ? open.add(key) : open.delete(key));
  return made;
}
const toggle = (isOn, body) => el("button", { on: (event) => send("switch", { ...body, on: !isOn }, event.target) }, isOn ? "switch off" : "switch on");
function figure(value, text, more) { return el("div", { className: "card" }, el("b", {}, value), el("div", {}, text), el("div", { className: "soft" }, more)); }
function figures({ tokensSaved, tokensSavedOfSent, searches, tools, lists, since }) {
  const calls = tools.reduce((sum, one) => sum + one.calls, 0);
  const failed = tools.reduce((sum, one) => sum + one.failed, 0);
  const { found, doubtful, empty, followed } = searches;
  return el("div", { className: "figures" },
    figure(number(tokensSavedOfSent), "tokens saved of what the servers send", number(tokensSaved) + " of what remains without unreached parts"),
    figure(number(found + doubtful + empty), "searches", number(found) + " found, " + number(doubtful) + " doubtful, " + number(empty) + " empty; " + number(followed) + " led to a call"),
    figure(number(calls), "calls", number(failed) + " failed"),
    figure(number(lists), "tool lists answered", "since " + new Date(since).toLocaleString()));
}
function difference(text) {
  const kinds = { "    + ": "add", "    - ": "cut" };
  return el("pre", {}, text.split("\\n").map((line) => el("span", { className: kinds[line.slice(0, 6)] ?? "" }, line || " ")));
}
function held(one) {
  const body = { server: one.server, tool: one.tool, hash: one.hash };
  return el("div", { className: "card" },
    el("header", {}, el("b", {}, one.server + ": " + one.tool),
      el("button", { className: "main", on: (event) => send("approve", body, event.target) }, "approve")),
    el("div", { className: "soft" }, "changed; seen " + new Date(one.seen).toLocaleString() + (one.isIncomplete ? ". The earlier or the new definition was not kept: the difference is not complete." : "")),
    one.findings.map(({ where, detail }) => el("div", { className: "bad" }, "suspicious in the " + where + ": " + detail)),
    one.difference === "" ? null : difference(one.difference));
}
const COLOURS = { running: "good", starting: "wait", down: "bad", idle: "soft" };
function server(gateway, one, off) {
  const tools = (gateway.tools ?? []).filter((tool) => tool.server === one.name);
  const silent = off.tools.filter((name) => name.startsWith(one.name + ":")).map((name) => name.slice(one.name.length + 1));
  const list = el("ul", { className: "tools" },
    tools.map((tool) => el("li", {}, tool.name, toggle(true, { server: one.name, tool: tool.tool }))),
    silent.map((tool) => el("li", { className: "soft" }, tool + " (off)", toggle(false, { server: one.name, tool }))));
  const problems = [one.error ?? "", ...one.rejected.map(({ name, message }) => "left out: " + name + ": " + message)].filter((text) => text !== "");
  const many = one.tools + (one.tools === 1 ? " tool" : " tools");
  const details = tools.length + silent.length === 0 ? el("span", { className: "soft" }, many) : opening(gateway.pid + " " + one.name, many + (silent.length === 0 ? "" : ", " + silent.length + " off"), list);
  return el("div", { className: "server" }, el("div", {}, one.name), el("div", { className: COLOURS[one.state] ?? "" }, one.state), toggle(true, { server: one.name }),
    one.held.length === 0 ? null : el("div", { className: "wide wait" }, one.held.length + " held until you approve " + (one.held.length === 1 ? "it" : "them")),
    problems.map((text) => el("div", { className: "wide bad" }, text)), el("div", { className: "wide" }, details));
}
function gatewayCard(gateway, off) {
  const about = gateway.door + ", process " + gateway.pid + ", since " + time(gateway.started);
  return el("div", { className: "card" }, el("div", { className: "soft" }, gateway.origin + " (" + about + ")"),
    gateway.servers.map((one) => server(gateway, one, off)));
}
const chips = (names) => names.map((name) => el("span", { className: "chip" }, name));
function eventDetails(event) {
  switch (event.type) {
    case "search": return [event.query, event.found.length === 0 ? el("div", { className: "wait" }, "nothing found") : el("div", {}, event.shown.length > 0 ? "loaded " : "named ", chips(event.shown.length > 0 ? event.shown : event.found))];
    case "describe": return ["loaded ", ...chips(event.names)];
    case "call": return [event.server + ": " + event.tool + " ", el("span", { className: event.outcome === "ok" ? "good" : "bad" }, event.outcome + (event.code === undefined ? "" : " (" + event.code + ")")), el("span", { className: "soft" }, " " + event.ms + " ms")];
    case "words": return [event.server + ": " + event.words.written + " tools got words" + (event.words.error === null ? "" : "; " + event.words.error)];
    case "list": return [event.tools + " tools listed, " + number(event.tokens) + " tokens instead of " + number(event.sentTokens)];
    default: return [event.server + " ", el("span", { className: COLOURS[event.state] ?? "" }, event.state), event.error === undefined ? null : " " + event.error];
  }
}
function activity(gateways) {
  const all = gateways.flatMap(({ events = [] }) => events).sort((a, b) => b.time - a.time).slice(0, 200);
  if (all.length === 0) return el("p", { className: "soft" }, "Nothing has happened yet.");
  return el("div", { className: "card" }, el("table", {}, all.map((event) => rowOf(td("time soft", time(event.time)), td("name", event.type), td("text", ...eventDetails(event))))));
}
function show({ gateways, held: waiting, off, figures: totals, problems }) {
  const silent = off.servers.map((name) => rowOf(td("text", name), td("", toggle(false, { server: name }))));
  root.replaceChildren(
    el("header", {}, el("h1", {}, "toolsift"), el("span", { className: "soft" }, gateways.length + (gateways.length === 1 ? " gateway runs" : " gateways run"))),
    figures(totals),
    ...problems.map((text) => el("p", { className: "bad" }, text)),
    ...(waiting.length === 0 ? [] : [el("h2", {}, "Held until you approve them (" + waiting.length + ")"), ...waiting.map(held)]),
    el("h2", {}, "Servers"),
    ...(gateways.length === 0 ? [el("p", { className: "soft" }, "No gateway runs. A client starts one with: npx toolsift mcp")] : gateways.map((one) => gatewayCard(one, off))),
    ...(silent.length === 0 ? [] : [el("div", { className: "card" }, el("div", { className: "soft" }, "Switched off, for all gateways"), el("table", {}, silent))]),
    el("h2", {}, "What happened"), activity(gateways));
}
async function look() {
  const answer = await fetch("state").then((one) => one.ok ? one.text() : undefined, () => undefined);
  document.title = answer === undefined ? "toolsift (ended)" : "toolsift";
  if (answer === undefined) return root.classList.add("soft");
  root.classList.remove("soft");
  if (answer === before) return;
  before = answer;
  show(JSON.parse(answer));
}
void look();
setInterval(look, 1000);
`;

/** The page. Its style and script carry the nonce that its policy names. */
export function pageHtml(nonce: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>toolsift</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style nonce="${nonce}">${STYLE}</style></head>`,
    `<body><main></main><script nonce="${nonce}">${SCRIPT}</script></body></html>`,
  ].join("\n");
}
