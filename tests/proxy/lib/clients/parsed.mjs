/** Arguments as a client reads them; what is no JSON is handed on as it stands. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
