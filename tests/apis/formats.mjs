/** The formats of definitions, as `Format::ALL` in src/assembly/wire.rs names them. */
export const FORMATS = ["mcp", "openai", "openai-responses", "anthropic", "google", "bedrock"];
