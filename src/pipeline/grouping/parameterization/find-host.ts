import { isAlphanumeric, isDigit, isHex, isHostSign, isWord } from './char-kinds.ts';

const GROUPS = 8;
/** `0000:0000:0000:0000:0000:ffff:255.255.255.255` */
const ADDRESS_CHARS_MAX = 45;
/** Zone of an IPv6 address, after the `%`. */
const ZONE_CHARS_MAX = 40;

const COLON = 0x3a;
const DOT = 0x2e;

/**
 * Where the IP address ends that begins at `start`, with its zone and the length of its network; null for none. What
 * stands before `start` must not be part of a word.
 */
export function findIp(text: string, start: number): number | null {
  const end = findV6(text, start) ?? findV4(text, start);
  return end === null ? null : withNetwork(text, end.at, end.bitsMax);
}

type AddressEnd = { at: number; bitsMax: number };

function findV4(text: string, start: number): AddressEnd | null {
  if (!isDigit(text.charCodeAt(start))) return null;
  const end = dottedQuadEnd(text, start);
  return end === null || isWord(text.charCodeAt(end)) ? null : { at: end, bitsMax: 32 };
}

/** Four numbers up to 255 without leading zeros. */
function dottedQuadEnd(text: string, start: number): number | null {
  let at = start;
  for (let part = 0; part < 4; part += 1) {
    if (part > 0) {
      if (text.charCodeAt(at) !== DOT) return null;
      at += 1;
    }
    const from = at;
    while (at - from < 4 && isDigit(text.charCodeAt(at))) at += 1;
    const length = at - from;
    if (length === 0 || length > 3) return null;
    if (length > 1 && text[from] === '0') return null;
    if (Number(text.slice(from, at)) > 255) return null;
  }
  return at;
}

function findV6(text: string, start: number): AddressEnd | null {
  let end = start;
  let colons = 0;
  for (;;) {
    const unit = text.charCodeAt(end);
    if (unit === COLON) colons += 1;
    else if (unit !== DOT && !isHex(unit)) break;
    end += 1;
    if (end - start > ADDRESS_CHARS_MAX + 1) return null;
  }
  if (colons < 2) return null;
  // The end of a sentence, or the colon after a name.
  if (text.charCodeAt(end - 1) === DOT) end -= 1;
  if (text.charCodeAt(end - 1) === COLON && text.charCodeAt(end - 2) !== COLON) end -= 1;
  if (!isV6(text.slice(start, end))) return null;
  const zoned = zoneEnd(text, end);
  return isWord(text.charCodeAt(zoned)) ? null : { at: zoned, bitsMax: 128 };
}

function isV6(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  let count = groups.length;
  for (const [index, group] of groups.entries()) {
    const isLast = index === groups.length - 1;
    if (isLast && group.includes('.')) {
      if (address.endsWith(':') || dottedQuadEnd(group, 0) !== group.length) return false;
      count += 1;
    } else if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return false;
  }
  return halves.length === 2 ? count < GROUPS : count === GROUPS;
}

function zoneEnd(text: string, end: number): number {
  if (text[end] !== '%') return end;
  let at = end + 1;
  while (at - end <= ZONE_CHARS_MAX && isAlphanumeric(text.charCodeAt(at))) at += 1;
  return at === end + 1 ? end : at;
}

/** `/24`, when it is not the beginning of something longer. */
function withNetwork(text: string, end: number, bitsMax: number): number {
  NETWORK.lastIndex = end;
  const bits = NETWORK.exec(text)?.[1];
  return bits === undefined || Number(bits) > bitsMax ? end : end + 1 + bits.length;
}

const NETWORK = /\/(\d{1,3})(?![\p{L}\p{N}_]|[.:/-][\p{L}\p{N}_])/uy;

/** One label of a host name. */
const LABEL_CHARS_MAX = 63;

/** The usual top-level domains; a list of all would take every file name with a suffix for a host. */
const TOP_LEVEL_DOMAINS =
  'ae al app ar at au be bg biz br by ca cat cc cf ch cl club cn co com cz de dk edu ee es eu fi fm fr ga gov gq gr hk hr ' +
  'hu id ie il in info io ir is it jobs jp kr kz la link lt lv ly me mobi ms mx my net news ng nl no nz online org pe ph ' +
  'pl pro pt ro rs ru sa se sg si site sk th tips tk to tr tv tw ua ug uk us vn wiki xxx xyz za';

const DOMAINS: ReadonlySet<string> = new Set(
  TOP_LEVEL_DOMAINS.split(' ').flatMap((domain) => [domain, domain.toUpperCase()]),
);
/** Top-level domain of an email address or host. */
const DOMAIN_CHARS_MAX = 6;

/** Where the host name ends that begins at `start`, or a place that tells where else to look. */
export type HostSearch =
  | { end: number; failedBefore: null }
  /** No host name begins before `failedBefore` either. */
  | { end: null; failedBefore: number };

/** Looks for labels with dots up to the first one that is a top-level domain, wholly in upper or in lower case. */
export function findHostname(text: string, start: number): HostSearch {
  let label = start;
  for (;;) {
    let end = label;
    while (isHostSign(text.charCodeAt(end))) end += 1;
    if (end === label) return { end: null, failedBefore: Math.max(label, start + 1) };
    if (text.charCodeAt(end) !== DOT) return { end: null, failedBefore: end };
    // Only its last signs could be a label.
    if (end - label > LABEL_CHARS_MAX) return { end: null, failedBefore: end - LABEL_CHARS_MAX };
    label = end + 1;
    const domainEnd = domainEndAt(text, label);
    if (domainEnd !== null) return { end: domainEnd, failedBefore: null };
  }
}

function domainEndAt(text: string, start: number): number | null {
  let end = start;
  while (isWord(text.charCodeAt(end))) {
    end += 1;
    if (end - start > DOMAIN_CHARS_MAX) return null;
  }
  return DOMAINS.has(text.slice(start, end)) ? end : null;
}
