/** What stands on the page when toolsift cannot start here. */
export function Failure({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <main class="notice">
      <h1>toolsift could not start in this browser</h1>
      <p>It needs WebAssembly, and a page that is served over http or https. The browser says:</p>
      <pre class="code">{message}</pre>
    </main>
  );
}
