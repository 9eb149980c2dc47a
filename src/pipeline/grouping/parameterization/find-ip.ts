import { isAlphanumeric, isDigit, isHex, isWord } from './char-kinds.ts';

const GROUPS = 8;
/** `0000:0000:0000:0000:0000:ffff:255.255.255.255` */
const ADDRESS_CHARS_MAX = 45;
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
