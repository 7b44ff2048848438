import { useState } from "preact/hooks";

/** A button that copies a text, and shows if that worked. */
export function CopyButton({ text, label }: { text: () => string | Promise<string>; label: string }) {
  const [result, setResult] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setResult("Copied");
    } catch {
      setResult("Not allowed here");
    }
    setTimeout(() => setResult(null), 2000);
  };
  return (
    <button type="button" class="quiet-button" onClick={() => void copy()}>
      <span aria-live="polite">{result ?? label}</span>
    </button>
  );
}
