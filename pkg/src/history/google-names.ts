/** What are tools called in the Gemini API? Their names must begin with a letter or `_`; others get a `_` in front. */

/** The name under which a tool is declared. One that has the `_` by itself gets another, so that none is lost. */
export function declaredName(name: string): string {
  return /^_*[^A-Za-z_]/.test(name) ? `_${name}` : name;
}

/** The tool's own name. */
export function ownName(declared: string): string {
  return /^_+[^A-Za-z_]/.test(declared) ? declared.slice(1) : declared;
}
