/** The tools for testing a runtime: those of other scripts, one in every vendor's form, and broken ones. */

const text = (description) => ({ type: "string", ...(description && { description }) });
const object = (properties, required = []) => ({ type: "object", properties, required });

/** Names and texts beyond ASCII, and schemas that must come back as they are. */
export const WORLD = [
  {
    name: "přeložit text",
    title: "Překladač",
    description: "Přeloží text do jiného jazyka. Umí příliš žluťoučký kůň.",
    inputSchema: object({ text: text("Text k překladu"), jazyk: { enum: ["čeština", "ελληνικά", "العربية", "हिन्दी"] } }, [
      "text",
    ]),
    tags: ["translate", "překlad"],
  },
  {
    name: "天気",
    description: "今日と明日の天気を調べます。雨が降るかどうかも分かります。",
    inputSchema: object({ 都市: text("都市の名前"), "日-数": { type: "integer", minimum: 1, maximum: 7, default: 1 } }, [
      "都市",
    ]),
    searchHint: "weather forecast rain",
  },
  {
    name: "send.emoji/👍",
    description: 'Reacts with 👍🏽, 👩‍🚀 or 🏴󠁧󠁢󠁳󠁣󠁴󠁿; "quotes", back\\slashes and\ttabs stay.',
    inputSchema: object({
      $meta: text(),
      "a/b": { anyOf: [{ type: "null" }, { type: "number", multipleOf: 0.01, maximum: 1e21 }] },
    }),
    category: "fun",
  },
  {
    name: "straße_suchen",
    description: "Findet eine STRASSE, eine Straße, ﬁnden mit Ligatur, İ und ı, ΣΊΣΥΦΟΣ.",
    inputSchema: {
      type: "object",
      properties: { ort: { $ref: "#/$defs/ort" } },
      $defs: { ort: { type: ["string", "null"], examples: ["Köln", "\u0000", "\u2028"] } },
    },
    deferral: "always",
  },
];

/** One tool in every shape that is read, with what is repaired. */
export const SHAPES = [
  {
    name: "shape_mcp",
    description: "MCP.",
    inputSchema: object({ a: text() }),
    annotations: { title: "MCP" },
    outputSchema: object({}),
  },
  {
    type: "function",
    function: { name: "shape_chat", description: "Chat Completions.", parameters: object({ a: text() }), strict: true },
  },
  { type: "function", name: "shape_responses", description: "Responses.", parameters: object({ a: text() }), strict: false },
  { name: "shape_anthropic", description: "Anthropic.", input_schema: object({ a: text() }), defer_loading: true },
  { functionDeclarations: [{ name: "shape_google", description: "Google.", parametersJsonSchema: object({ a: text() }) }] },
  { name: "shape_bare" },
  { name: "shape_untyped", inputSchema: { properties: { a: text() } } },
  { name: "shape_never", description: "Is never held back.", inputSchema: object({}), deferral: "never", category: "core" },
];

/** Definitions that cannot be taken. */
export const BROKEN = [
  { name: "" },
  { name: "日本語" },
  { name: 7 },
  { name: "search_tools" },
  { name: "string_schema", inputSchema: { type: "string" } },
  { name: "long", description: "y".repeat(70_000) },
];
