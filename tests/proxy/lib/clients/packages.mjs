/** The packages of OpenAI and Anthropic for Python. */
export const VENDORS = [
  { package: "openai", version: "3.54.0" },
  { package: "anthropic", version: "2.12.0" },
];
