import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { type Card, cardOf, gradeOf, heaviestOf, readCard, writeCard } from "../../model/card.ts";
import { count, percent } from "../../model/numbers.ts";
import { PICTURE, shapesOf } from "../../model/picture.ts";
import { saveFile } from "../lib/save-file.ts";
import { draw } from "./draw.ts";

/** A card to post: of one's own tools, or the one that a link holds. */
export function CardView() {
  const store = useStore();
  const { tools, current, edition, inForce } = store.snapshot;
  const [received, setReceived] = useState<Card | null>(null);
  const [grade, setGrade] = useState<string | null>(null);
  const own = store.ownTools > 0;
  useLayoutEffect(() => {
    if (store.card === "") return setReceived(null);
    void readCard(store.card).then((card) => {
      setReceived(card);
      if (card === null) store.tell({ kind: "refused", text: "The card in the address cannot be read." });
    });
  }, [store.card]);
  useLayoutEffect(() => {
    if (!own) return;
    let wanted = true;
    setGrade(null);
    void store.core
      .workshop()
      .examine()
      .then(({ findings }) => wanted && setGrade(gradeOf(findings, tools.length)))
      .catch(() => undefined);
    return () => void (wanted = false);
  }, [edition]);
  if (received) return <Drawn card={received} title="Somebody’s tools" />;
  if (!own) return null;
  const estimated = inForce.tokens === "estimate";
  return <Drawn card={cardOf({ ...current, tools }, { prices: store.prices, estimated, grade })} title="Your card" />;
}

function Drawn({ card, title }: { card: Card; title: string }) {
  const store = useStore();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [said, setSaid] = useState("");
  const key = JSON.stringify(card);
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, shapesOf(card));
  }, [key]);
  const picture = () =>
    new Promise<Blob>((resolve, reject) =>
      canvas.current?.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  const doing = (does: () => Promise<void>, done: string) => async () => {
    try {
      await does();
      setSaid(done);
    } catch {
      setSaid("Not allowed here");
    }
  };
  const copy = doing(
    () => navigator.clipboard.write([new ClipboardItem({ "image/png": picture() })]),
    "The picture is copied.",
  );
  const save = doing(async () => saveFile("toolsift.png", await picture(), "image/png"), "The picture is saved.");
  const share = doing(async () => {
    const url = new URL(location.href);
    url.hash = `#/overview?card=${await writeCard(card)}`;
    await navigator.clipboard.writeText(url.href);
  }, "The link is copied. It holds names of servers and numbers of tokens, and no definition.");
  const heaviest = heaviestOf(card);
  return (
    <section class="card receipt" aria-labelledby="receipt-title">
      <header class="card-head">
        <h2 id="receipt-title">{title}</h2>
        <div class="actions">
          <button type="button" class="button small" onClick={() => void share()}>
            Copy its link
          </button>
          <button type="button" class="button small plain" onClick={() => void copy()}>
            Copy picture
          </button>
          <button type="button" class="button small plain" onClick={() => void save()}>
            Save picture
          </button>
          {store.card !== "" && (
            <button type="button" class="button small plain" onClick={() => store.closeCard()}>
              Close
            </button>
          )}
        </div>
      </header>
      <canvas
        ref={canvas}
        class="receipt-picture"
        width={PICTURE.width}
        height={PICTURE.height}
        role="img"
        aria-label={`${count(card.full)} tokens of tools become ${count(card.request)}.${heaviest ? ` The heaviest server is ${heaviest.name}, ${percent(heaviest.share)}.` : ""}${card.grade ? ` The definitions have grade ${card.grade}.` : ""}`}
      />
      <p class="hint" role="status">
        {said}
      </p>
    </section>
  );
}
