/** The conversation whose cache is checked: three requests as toolsift sends them, with a reveal before the last. */

import { ToolSift, type WireFormat } from "toolsift";
import type { ModelRequest } from "./apis.js";

/** Tools that stand in all three requests. With their parameters they take about 2,500 tokens. */
const STANDING = 12;
/** Paragraphs of the first message, about 4,500 tokens: vendors keep nothing below 1,024 to 4,096 tokens. */
const PARAGRAPHS = 90;
const ANSWER = "ok";

/** The three requests; `nonce` makes them new to every cache. */
export function requestsOf(model: string, format: WireFormat, nonce: string): ModelRequest[] {
  const sift = new ToolSift({ activation: "on" });
  try {
    const names = Array.from({ length: STANDING + 1 }, (_, at) => `read_station_${at + 1}`);
    sift.register(
      names.map((name, at) => toolOf(name, at, nonce)),
      { server: "stations" },
    );
    const session = sift.session("check");
    session.reveal(names.slice(0, STANDING));
    const turns = [`${textOf(nonce)}\n\nAnswer with the word ${ANSWER} and call no tool.`];
    return [0, 1, 2].map((turn) => {
      if (turn > 0) turns.push(ANSWER, `Question ${turn}: answer with the word ${ANSWER} again.`);
      if (turn === 2) session.reveal(names.slice(STANDING));
      const { tools, systemPrompt } = session.assemble({ format });
      return { model, tools, system: `Conversation ${nonce}.\n\n${systemPrompt}`, turns: [...turns] };
    });
  } finally {
    sift.dispose();
  }
}

function toolOf(name: string, at: number, nonce: string): object {
  const parameter = (what: string) => ({
    type: "string",
    description: `The ${what} of the reading at station ${at + 1}, as the log of this station writes it, in at most 40 characters.`,
  });
  const kinds = ["time", "height", "instrument", "unit", "observer", "remark"];
  return {
    name,
    description: `Reads one entry of the log of station ${at + 1} of network ${nonce}, with its time, height and instrument.`,
    inputSchema: { type: "object", properties: Object.fromEntries(kinds.map((kind) => [kind, parameter(kind)])) },
    annotations: { readOnlyHint: true },
  };
}

function textOf(nonce: string): string {
  const paragraph = (_: unknown, at: number) =>
    `Entry ${at + 1} of log ${nonce}: at station ${(at % STANDING) + 1} the water stood at ${(at * 37) % 400} centimetres, the wind ` +
    `came from ${(at * 53) % 360} degrees, and the observer wrote that number ${(at * 71) % 997} was read twice and kept.`;
  return Array.from({ length: PARAGRAPHS }, paragraph).join("\n");
}
