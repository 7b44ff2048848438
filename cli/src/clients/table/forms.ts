/** The spelling that most clients share: `{ command, args, env }` or `{ url, headers }`. */

import type { Form } from "../types.js";

export const COMMON: Form = {
  command: "string",
  env: ["env"],
  url: ["url"],
  headers: ["headers"],
  off: "disabled",
  variables: [],
  ignored: [],
  bound: [],
};
