import type { TextRange } from '../patterns/linear/linear-pattern.ts';
import type { RuleType } from './rule-types.ts';

/** Types that are found in text by themselves. */
export type BuiltinType = Exclude<RuleType, 'anything' | 'pattern' | 'password'>;

/**
 * Where a kind of private data stands in a text, from left to right. The patterns are those of relay-pii/src/regexes.rs;
 * each of their parts is bounded or cannot overlap its neighbour, so that none of them takes more than linear time.
 */
export function findBuiltin(type: BuiltinType, text: string): TextRange[] {
  switch (type) {
    case 'ip':
      return findIps(text);
    case 'pemkey':
      return findPemKeys(text);
    case 'iban':
      return findAll(IBAN, text).filter(([start]) => IBAN_COUNTRIES.has(text.slice(start, start + 2)));
    case 'email':
      return text.includes('@') ? findAll(EMAIL, text) : [];
    case 'urlauth':
      return text.includes('@') ? findGroup(URL_AUTH, text) : [];
    case 'userpath':
      return findGroup(USER_PATH, text);
    case 'creditcard':
      return findAll(CREDIT_CARD, text);
    case 'usssn':
      return findAll(US_SSN, text);
    case 'bearer':
      return findAll(BEARER, text);
    case 'uuid':
      return findAll(UUID, text);
    case 'mac':
      return findAll(MAC, text);
    case 'imei':
      return findAll(IMEI, text);
  }
}

/** Only the password of `scheme://user:password@host`: what the default rules hide, the user's name stays. */
export const findUrlPassword = (text: string): TextRange[] =>
  text.includes('@') ? findGroup(URL_PASSWORD, text) : [];

/** The numbers of the large card companies, with blanks or dashes between the digits; check digits are not looked at. */
const CREDIT_CARD = /\b(?:3[47]\d|4\d{3}|5[1-5]\d\d|65\d\d|6011)(?:[-\s]?\d){12}\b/g;
const IBAN = /\b[A-Z]{2}\d{2}[a-zA-Z0-9]{11,29}\b/g;
const EMAIL =
  /\b[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9-]{1,63}(?:\.[a-zA-Z0-9-]{1,63}){0,8}\.[a-zA-Z]{2,63}\b/g;
const US_SSN = /\b\d{3}-\d{2}-\d{4}\b/g;
const BEARER = /\bBearer\s{1,8}[^\s]+/gi;
const UUID = /\b[a-z0-9]{8}-?[a-z0-9]{4}-?[a-z0-9]{4}-?[a-z0-9]{4}-?[a-z0-9]{12}\b/gi;
const MAC = /\b(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}\b/g;
const IMEI = /\b\d{2}-?\d{6}-?\d{6}-?\d{1,2}\b/g;
const URL_AUTH = /(?:\b[a-z0-9+-]{1,32}:)?\/\/([a-zA-Z0-9%_.-]+(?::[a-zA-Z0-9%_.-]+)?)@/dg;
/** What a browser would refuse is in connection strings all the same. */
const URL_PASSWORD = /\/\/[^\s/:@"'<>]*:([^\s/@"'<>]+)@/dg;
const USER_PATH =
  /(?:\b(?:[a-zA-Z]:[\\/])?(?:users|home|documents and settings|[^/\\]{1,64}[/\\]profiles)[\\/]|\/(?:home|users)\/)([^/\\\r\n\0]+)/dgi;

const IBAN_COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AT AD AE AL AZ BA BE BG BH BR BY CH CR CY CZ DE DK DO EE EG ES FI FO FR GB GE GI GL GR GT HR HU IE IL IQ IS IT ' +
    'JO KW KZ LB LC LI LT LU LV LY MC MD ME MK MR MT MU NL NO PK PL PS PT QA RO RU RS SA SC SE SI SK SM ST SV TL TN ' +
    'TR UA VA VG XK DZ AO BJ BF BI CV CM CF TD KM CG CI DJ GQ GA GW HN IR MG ML MA MZ NI NE SN TG'
  ).split(' '),
);

const V4_PART = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)';
const V4 = `${V4_PART}\\.${V4_PART}\\.${V4_PART}\\.${V4_PART}`;
const IPV4 = new RegExp(`\\b${V4}\\b`, 'g');
const PUNCTUATION = '\\s!-/:-@\\[-`{-~';
/** Everything that looks like an address; which of these are is decided afterwards. */
const IPV6_LIKE = new RegExp(
  `(?:^|(?<=[${PUNCTUATION}]))(?=[0-9a-fA-F]{0,4}:)(?:[0-9a-fA-F:]{2,39}?(?<=:)${V4}(?![\\d.])|[0-9a-fA-F:]{2,39})(?:%[0-9a-zA-Z]{1,16})?(?=[${PUNCTUATION}]|$)`,
  'g',
);

function findIps(text: string): TextRange[] {
  const found = text.includes('.') ? findAll(IPV4, text) : [];
  const colon = text.indexOf(':');
  if (colon < 0 || !text.includes(':', colon + 1)) return found;
  for (const [start, wide] of findAll(IPV6_LIKE, text)) {
    // A single colon behind an address belongs to the sentence.
    const end = text[wide - 1] === ':' && text[wide - 2] !== ':' ? wide - 1 : wide;
    if (!isIpv6(text.slice(start, end))) continue;
    const inner = found.findIndex((range) => range[0] < end && range[1] > start);
    if (inner >= 0) found.splice(inner, 1);
    found.push([start, end]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}

/** Eight groups, or fewer with one `::`; the last two may be written as an IPv4 address. */
function isIpv6(text: string): boolean {
  const address = text.replace(/%[0-9a-zA-Z]+$/, '');
  const halves = address.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === '') continue;
    for (const [at, group] of half.split(':').entries()) {
      const isLast = index === halves.length - 1 && at === half.split(':').length - 1;
      if (isLast && group.includes('.')) groups += 2;
      else if (/^[0-9a-fA-F]{1,4}$/.test(group)) groups += 1;
      else return false;
    }
  }
  return halves.length === 2 ? groups >= 1 && groups <= 7 : groups === 8;
}

const PEM_BEGIN = /-----BEGIN[A-Z ]{1,40}(?:PRIVATE|PUBLIC) KEY(?: BLOCK)?-----[\t ]{0,8}\r?\n?/g;
const PEM_END = /\r?\n?-----END[A-Z ]{1,40}(?:PRIVATE|PUBLIC) KEY(?: BLOCK)?-----/g;

/** What stands between the two lines; a key whose end was cut off goes up to the end of the text. */
function findPemKeys(text: string): TextRange[] {
  const found: TextRange[] = [];
  if (!text.includes('-----BEGIN')) return found;
  PEM_BEGIN.lastIndex = 0;
  for (let begin = PEM_BEGIN.exec(text); begin !== null; begin = PEM_BEGIN.exec(text)) {
    const start = PEM_BEGIN.lastIndex;
    PEM_END.lastIndex = start;
    const end = PEM_END.exec(text);
    const stop = end?.index ?? text.length;
    if (stop > start) found.push([start, stop]);
    if (end === null) break;
    PEM_BEGIN.lastIndex = PEM_END.lastIndex;
  }
  return found;
}

function findAll(pattern: RegExp, text: string): TextRange[] {
  const found: TextRange[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push([match.index, match.index + match[0].length]);
  }
  return found;
}

/** The place of the first group that took part; the pattern has the flag `d`. */
function findGroup(pattern: RegExp, text: string): TextRange[] {
  const found: TextRange[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const range = match.indices?.slice(1).find((each) => each !== undefined);
    if (range !== undefined && range[1] > range[0]) found.push(range);
  }
  return found;
}
