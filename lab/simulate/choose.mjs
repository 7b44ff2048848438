/** Chooses settings: the cheapest for each solved task, and the smallest setting that is about as good. */

/** The extra cost that a smaller setting may have: its shorter answers are easier to read. */
export const FLAT = 0.02;
/** Shares of solved tasks with a smaller difference count as equal. */
const SAME = 1e-9;

/** Returns the row with the lowest price per solved task; the first one of equal rows. */
export const cheapest = (rows) => rows.reduce((best, row) => (row.perSolved < best.perSolved ? row : best));

/**
 * Returns the smallest setting with a cost per solved task of at most 2 % above the cheapest, and with as many solved tasks.
 * Smaller means fewer shown hits, then fewer loaded tools, then a smaller budget. If these are equal, the lower price
 * decides.
 */
export function recommended(rows) {
  const best = cheapest(rows);
  const good = rows.filter((row) => row.perSolved <= (1 + FLAT) * best.perSolved && row.solved >= best.solved - SAME);
  return good.reduce((least, row) => (order(row, least) < 0 ? row : least));
}

function order(a, b) {
  const keys = ({ setting: { reveal, list, budget }, perSolved }) => [reveal + list, reveal, budget, perSolved];
  const [own, other] = [keys(a), keys(b)];
  const at = own.findIndex((value, place) => value !== other[place]);
  return at < 0 ? 0 : own[at] - other[at];
}

/** Returns the rows that differ from a setting only in one key, in the order of the key's values. */
export const along = (rows, setting, key) =>
  rows.filter((row) => Object.keys(setting).every((other) => other === key || row.setting[other] === setting[other]));
