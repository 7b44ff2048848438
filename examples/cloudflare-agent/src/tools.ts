/** The tools that are searched. Put your own here: any number of them. */

import { tool } from "ai";
import { z } from "zod";

const orders = new Map([["A-1", "shipped"]]);

export const tools = {
  order_status: tool({
    description: "Says whether an order is open, shipped or delivered",
    inputSchema: z.object({ order: z.string().describe("The order's number") }),
    execute: ({ order }) => ({ order, status: orders.get(order) ?? "unknown" }),
  }),
  cancel_order: tool({
    description: "Cancels an order that is not shipped yet",
    inputSchema: z.object({ order: z.string(), reason: z.string().optional() }),
    execute: ({ order }) => (orders.delete(order) ? "cancelled" : "there is no such order"),
  }),
  tides: tool({
    description: "Tells the times of high and low water at a port",
    inputSchema: z.object({ port: z.string() }),
    execute: ({ port }) => `High water at ${port}: 04:12 and 16:40`,
  }),
};
