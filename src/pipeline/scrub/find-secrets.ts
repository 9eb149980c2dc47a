import type { TextRange } from '../patterns/linear/linear-pattern.ts';

/**
 * Secrets that are known by their form wherever they stand: keys and tokens with the prefix of who issued them, JSON web
 * tokens, bearer and basic credentials. Forms are as precise as their issuers made them, so that ids, hashes and UUIDs
 * stay. Ranges come from left to right without overlaps. Time is linear: what a hint leads to is bounded, or consumed.
 */
export function findSecrets(text: string): TextRange[] {
  const found: TextRange[] = [];
  HINT.lastIndex = 0;
  const scan: Scan = { text, free: 0, searched: 0 };
  for (let hint = HINT.exec(text); hint !== null; hint = HINT.exec(text)) {
    const range = secretAt(scan, hint.index, hint[0]);
    if (range === null) {
      // The hint of another form may begin inside of this one.
      HINT.lastIndex = hint.index + 1;
      continue;
    }
    found.push(range);
    scan.free = range[1];
    HINT.lastIndex = range[1];
  }
  return found;
}

/** `free`: where the last secret ended. `searched`: up to where no web token begins. */
type Scan = { readonly text: string; free: number; searched: number };

/** Every form has as many letters, digits, `_` and `-` in a row; ordinary words do not. */
export const RUN_CHARS_MIN = 16;

/** Whether a text is worth the search. Looks at every sixteenth character, and around it where a run may be. */
export function mayHoldSecret(text: string): boolean {
  const { length } = text;
  for (let at = RUN_CHARS_MIN - 1; at < length; at += RUN_CHARS_MIN) {
    if (!isRunUnit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && at - start < RUN_CHARS_MIN && isRunUnit(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end < length && end - start < RUN_CHARS_MIN && isRunUnit(text.charCodeAt(end))) end += 1;
    if (end - start >= RUN_CHARS_MIN) return hasHint(text);
  }
  // Cut by a bound, the last part of such an address may be shorter.
  return length > HOOK.length + RUN_CHARS_MIN && text.includes(HOOK);
}

export const HOOK = '//hooks.slack.com/';

function hasHint(text: string): boolean {
  HINT.lastIndex = 0;
  return HINT.test(text);
}

/** What each form begins with; most texts hold none of it. `:AA` stands in tokens of Telegram's bots. */
const HINT =
  /eyJ|A(?:KI|SI|BI|CC)A[A-Z2-7]|AIza|gh[oprsu]_|github_pat_|gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat)-|gl(?:c|sa)_|xox[a-z]-|xapp-|hooks\.slack\.com|\/api\/webhooks\/|webhook\.office\.com|[rs]k_(?:live|test)_|whsec_|sk-|SG\.|SK[0-9a-f]|npm_|pypi-AgEI|rubygems_|dckr_(?:pat|oat)_|hf_|do[opr]_v1_|shp(?:at|ca|pa|ss)_|sq0[a-z]{3}-|ya29\.|GOCSPX-|key-[0-9a-f]|hvs\.|lin_api_|dapi[0-9a-f]|pscale_|sbp_|sntry[su]_|errata_(?:access|refresh)_|NRAK-|AGE-SECRET-KEY-|:AA|[Bb](?:earer|EARER|asic|ASIC)\s/g;

/** By the first characters of a hint. `isApart`: the form is too short to be looked for inside of other words. */
const FORMS: readonly { form: RegExp; isApart?: true }[] = [
  { form: /A(?:KI|SI|BI|CC)A[A-Z2-7]{16}(?![A-Za-z0-9])/y, isApart: true },
  { form: /AIza[\w-]{35}/y, isApart: true },
  { form: /gh[oprsu]_[A-Za-z0-9]{30,255}/y },
  { form: /github_pat_\w{22,255}/y },
  { form: /gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat)-[\w.-]{20,255}/y },
  { form: /gl(?:c|sa)_[\w+/=]{32,255}/y },
  { form: /xox[a-z]-[\w-]{11,255}/y },
  { form: /xapp-\d-[\w-]{10,255}/y },
  { form: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/+-]{16,255}/y },
  { form: /\/api\/webhooks\/\d{6,25}\/[\w-]{30,255}/y },
  { form: /webhook\.office\.com\/webhookb2\/[\w@/-]{30,255}/y },
  { form: /[rs]k_(?:live|test)_[A-Za-z0-9]{10,255}/y },
  { form: /whsec_[A-Za-z0-9]{10}[A-Za-z0-9+/=]{6,255}/y },
  { form: /sk-(?:ant|proj|svcacct|admin|or-v1|None)-[\w-]{20,255}/y, isApart: true },
  { form: /sk-(?=[A-Za-z]{0,64}\d)[A-Za-z0-9]{32,255}(?![\w-])/y, isApart: true },
  { form: /SG\.[\w-]{16,64}\.[\w-]{16,255}/y, isApart: true },
  { form: /SK[0-9a-f]{32}(?![0-9A-Za-z])/y, isApart: true },
  { form: /npm_[A-Za-z0-9]{36}/y, isApart: true },
  { form: /pypi-AgEI[\w-]{40,255}/y },
  { form: /rubygems_[0-9a-f]{40,64}/y },
  { form: /dckr_(?:pat|oat)_[\w-]{20,255}/y },
  { form: /hf_[A-Za-z]{34}/y, isApart: true },
  { form: /do[opr]_v1_[0-9a-f]{64}/y },
  { form: /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/y },
  { form: /sq0[a-z]{3}-[\w-]{22,255}/y },
  { form: /ya29\.[\w-]{20,255}/y },
  { form: /GOCSPX-[\w-]{20,255}/y },
  { form: /key-[0-9a-f]{32}(?![0-9A-Za-z])/y, isApart: true },
  { form: /hvs\.[\w-]{24,255}/y, isApart: true },
  { form: /lin_api_[A-Za-z0-9]{32,255}/y },
  { form: /dapi[0-9a-f]{32}(?![0-9A-Za-z])/y, isApart: true },
  { form: /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,255}/y },
  { form: /sbp_[0-9a-f]{40}/y, isApart: true },
  { form: /sntry[su]_[\w+/=-]{32,255}/y },
  { form: /errata_(?:access|refresh)_[\w-]{20,255}/y },
  { form: /NRAK-[A-Z0-9]{27}/y },
  { form: /AGE-SECRET-KEY-1[0-9A-Z]{58}/y },
];

function secretAt(scan: Scan, at: number, hint: string): TextRange | null {
  const { text } = scan;
  const first = hint[0];
  if (hint === 'eyJ') return webTokenAt(scan, at);
  if (first === ':') return botTokenAt(scan, at);
  if (first === 'B' || first === 'b') return credentialsAt(text, at);
  for (const { form, isApart } of FORMS) {
    form.lastIndex = at;
    if (!form.test(text)) continue;
    if (isApart && !standsApart(text, at)) continue;
    return [at, endOfRun(text, form.lastIndex)];
  }
  return cutSecretAt(text, at, hint);
}

/** A prefix that nothing else begins with, where the text was cut before the form was complete. */
function cutSecretAt(text: string, at: number, hint: string): TextRange | null {
  if (text.length - at > CUT_CHARS_MAX || !UNMISTAKABLE.test(hint)) return null;
  CUT_HOOK.lastIndex = at;
  const end = CUT_HOOK.test(text) ? CUT_HOOK.lastIndex : endOfRun(text, at + hint.length);
  return end - at >= RUN_CHARS_MIN && isCutAt(text, end) ? [at, end] : null;
}

const CUT_HOOK = /hooks\.slack\.com\/services\/\w{1,20}\/\w{1,20}\/\w{0,64}/y;
/** Text at the end that may be a secret cut off. */
const CUT_CHARS_MAX = 300;
const UNMISTAKABLE = /^(?:gh[oprsu]_|github_pat_|gl[a-z]+-|xox|[rs]k_|whsec_|sntry|hooks)/;

/** The beginnings of a header: `{"alg":`, `{"typ":`, `{"kid":`, `{"enc":`, `{"cty":`, `{"x5t":`, `{"jku":`, `{"zip":`. */
const WEB_TOKEN_HEADER = /eyJ(?:hbGciOi|0eXAiOi|raWQiOi|lbmMiOi|jdHkiOi|4NXQiOi|qa3UiOi|6aXAiOi)/y;

/** Signed and encrypted ones; also cut ones whose header is known. Other base64 of a JSON object is left alone. */
function webTokenAt(scan: Scan, at: number): TextRange | null {
  const { text } = scan;
  WEB_TOKEN_HEADER.lastIndex = at;
  const isKnown = WEB_TOKEN_HEADER.test(text);
  if (!isKnown && at < scan.searched) return null;
  let end = endOfRun(text, at);
  if (!isKnown && !(text.startsWith('.eyJ', end) && end - at >= RUN_CHARS_MIN)) {
    scan.searched = end;
    return null;
  }
  for (let parts = 1; parts < WEB_TOKEN_PARTS_MAX && text[end] === '.'; parts += 1) {
    const next = endOfRun(text, end + 1);
    // Without its two parts behind the header a full stop ends the sentence.
    if (next === end + 1 && text[next] !== '.') break;
    end = next;
  }
  return [at, end];
}

/** Parts of a JSON Web Token; an encrypted one has five. */
const WEB_TOKEN_PARTS_MAX = 5;

/** `<digits>:AA<33 characters>` */
function botTokenAt({ text, free }: Scan, colon: number): TextRange | null {
  BOT_TOKEN.lastIndex = colon;
  if (!BOT_TOKEN.test(text)) return null;
  let start = colon;
  while (start > free && colon - start < BOT_ID_DIGITS.max && isDigit(text.charCodeAt(start - 1))) start -= 1;
  return colon - start < BOT_ID_DIGITS.min ? null : [start, BOT_TOKEN.lastIndex];
}

const BOT_TOKEN = /:AA[\w-]{32,33}(?![\w-])/y;
const BOT_ID_DIGITS = { min: 8, max: 12 } as const;

/** Credentials as they stand in a header; `basic authentication` and a bearer of news are none. */
function credentialsAt(text: string, at: number): TextRange | null {
  CREDENTIALS.lastIndex = at;
  const match = CREDENTIALS.exec(text);
  if (match === null) return null;
  const end = CREDENTIALS.lastIndex;
  const value = match[1] as string;
  const isBearer = /^bearer/i.test(match[0]);
  const isSecret = isBearer
    ? /[\d._~+/-]/.test(value)
    : isUserAndPassword(value) || isUserAndPassword(value.split('/', 1)[0] as string);
  return isSecret ? [at, end] : null;
}

const CREDENTIALS = /(?:bearer|basic)\s{1,8}([\w.~+/-]{8,8192}={0,2})/iy;

function isUserAndPassword(base64: string): boolean {
  const text = Buffer.from(base64.slice(0, 1_024), 'base64').toString('latin1');
  return text.indexOf(':') >= 0 && !/\p{Cc}/u.test(text);
}

/** Whether no letter or digit touches it; what an escape (`%3D`, `\n`) ends with does not count. */
function standsApart(text: string, at: number): boolean {
  if (at === 0 || !isAlphanumeric(text.charCodeAt(at - 1))) return true;
  return text[at - 3] === '%' || text[at - 2] === '\\';
}

/** The end of the letters, digits, `_` and `-` that go on from here. */
function endOfRun(text: string, from: number): number {
  let at = from;
  while (at < text.length && isRunUnit(text.charCodeAt(at))) at += 1;
  return at;
}

/** Texts that are too long end in `...` or just end. */
const isCutAt = (text: string, at: number): boolean =>
  at === text.length || (at === text.length - 3 && text.endsWith('...'));

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isAlphanumeric = (unit: number): boolean =>
  isDigit(unit) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);

const RUN_UNITS = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  RUN_UNITS[char.charCodeAt(0)] = 1;
}
const isRunUnit = (unit: number): boolean => unit < 128 && RUN_UNITS[unit] === 1;
