/** The vocabulary of the generated catalogs: frequent words are from real tools, and rare words are made up. */

/** Function words, the most frequent first. */
export const FUNCTION_WORDS = list(`the to a of for in or this and is be if as not can will with your all from by it
  are on that an when only at which you use used using before after must should each any into one has may no without
  been more than other between per same until its then there do does not also both out up such`);

/** Verbs in the names of tools, the most common first. */
export const VERBS = list(`get list create update delete search add set remove run send read write describe query fetch
  start stop find upload download export import move copy rename publish archive assign cancel enable disable validate
  generate deploy merge close open check apply attach detach invite revoke restore schedule sync convert resize lock
  unlock rotate inspect compare render record subscribe register approve reject resolve submit watch scan tag clone`);

/** Nouns and other words in the names and texts of tools, the most common first. */
export const TOPIC_WORDS = list(`id name file project issue user message page key value type list number account
  resource record query table database status data path limit result content text string token date time team group
  repository branch commit comment label title description url event channel document folder image field column row
  order customer invoice payment product price report session server region cluster container service function
  deployment version release tag environment variable secret permission role policy rule filter sort cursor offset
  workspace board sprint task ticket milestone epic calendar meeting contact address email thread reply attachment
  template form schema index node edge graph metric alert log trace dashboard widget query range window interval
  timezone format output input request response header body parameter option default maximum minimum size length
  count total optional required identifier unique current existing specific multiple single public private active
  archived draft pending completed failed enabled subscription plan tenant organization member owner author assignee
  reviewer approver webhook trigger workflow pipeline job run step stage artifact build test coverage module package
  dependency library license domain certificate record zone network subnet gateway balancer firewall volume snapshot
  backup bucket object blob storage queue topic stream partition replica shard cache instance machine image disk
  memory processor runtime language code source target destination origin location country city currency amount tax
  discount coupon cart checkout shipment tracking warehouse inventory stock supplier vendor purchase contract
  signature approval audit history change diff patch conflict merge review feedback survey question answer score
  rating category collection catalog entry item list note summary keyword phrase sentence translation locale
  transcript audio video frame scene caption thumbnail screenshot element selector button click keyboard viewport
  tab browser cookie profile avatar bio follower post story campaign audience segment lead opportunity deal forecast
  quota territory pipeline ledger balance transaction refund dispute payout bank card wallet budget expense receipt
  payroll employee candidate interview vacancy shift leave holiday benefit course lesson quiz grade student teacher
  patient appointment prescription diagnosis insurance claim vehicle driver route trip flight hotel booking seat
  reservation ticket weather temperature forecast wind station sensor device firmware reading threshold calibration
  recipe ingredient nutrition exercise workout playlist track album artist lyric chapter citation paper experiment
  dataset model embedding vector prompt completion agent tool memory plugin extension theme font color layout`);

const ONSETS = list("b br c cr d dr f fl g gr h j k kl l m n p pl pr qu r s st t tr v w z");
const VOWELS = list("a e i o u ai ea io");
const CODAS = list("n r l x m s t nd rk st");

/** Returns a pronounceable word that is in no list above, a different one for every number. */
export function madeUpWord(number) {
  // The step has no common factor with the number of words. So neighbours look different, and no word comes twice.
  let rest = (number * 7_919 + 104_729) % (ONSETS.length * VOWELS.length * CODAS.length * ONSETS.length * VOWELS.length);
  const take = (parts) => {
    const part = parts[rest % parts.length];
    rest = Math.floor(rest / parts.length);
    return part;
  };
  return take(ONSETS) + take(VOWELS) + take(ONSETS) + take(VOWELS) + take(CODAS);
}

/**
 * Returns a function from a number in [0, 1) to a rank below `count`. The frequency of rank r is proportional to 1 / (r + 1)
 * ** `power`.
 */
export function zipf(count, power = 1) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) sums[rank] = sum += 1 / (rank + 1) ** power;
  return (share) => {
    const wanted = share * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function list(text) {
  return [...new Set(text.split(/\s+/).filter(Boolean))];
}
