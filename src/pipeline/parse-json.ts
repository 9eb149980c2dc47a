import { parseBoundedJson } from '#lib/bounded-json.ts';
import { messageOf } from '#lib/errors.ts';

export type ParsedJson =
  | {
      kind: 'parsed';
      value: Readonly<Record<string, unknown>>;
      /** Whether strings may hold NUL or lone surrogates, which the stores refuse. */
      unsafeText: boolean;
      /** Whether NaN or Infinity stood in it and became null. */
      repaired: boolean;
    }
  | { kind: 'unparseable'; detail: string };

/** The parse error that is reported. */
const DETAIL_CHARS_MAX = 200;
/** An escape that can make NUL or half of a surrogate pair; nothing else in valid UTF-8 can. */
const UNSAFE_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Reads the bytes of one JSON object, with NaN and Infinity as Python's `json` writes them. Never throws. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = decodeUtf8(bytes);
  const unsafeText = text.includes('\\u') && UNSAFE_ESCAPE.test(text);
  const strict = tryParse(text);
  if (strict.error === null) return asObject(strict.value, unsafeText, false);
  const repairedText = replaceNonFinite(text);
  const repaired = repairedText === null ? strict : tryParse(repairedText);
  if (repaired.error === null) return asObject(repaired.value, unsafeText, true);
  return { kind: 'unparseable', detail: repaired.error.slice(0, DETAIL_CHARS_MAX) };
}

function decodeUtf8(bytes: Uint8Array): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start).toString('utf8');
}

function tryParse(text: string): { value: unknown; error: null } | { value: null; error: string } {
  try {
    return { value: parseBoundedJson(text), error: null };
  } catch (error) {
    // A raw control character of the input may stand in the engine's message.
    const message = messageOf(error);
    return { value: null, error: message.replaceAll('\0', '\ufffd').toWellFormed() };
  }
}

function asObject(value: unknown, unsafeText: boolean, repaired: boolean): ParsedJson {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
    return { kind: 'unparseable', detail: `The event must be a JSON object, not ${found}` };
  }
  return { kind: 'parsed', value: value as Readonly<Record<string, unknown>>, unsafeText, repaired };
}

/** Puts null for every NaN and Infinity outside of strings; null when there is none. */
function replaceNonFinite(text: string): string | null {
  if (!text.includes('NaN') && !text.includes('Infinity')) return null;
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    pieces.push(text.slice(at, end).replace(/-?(?:NaN|Infinity)/g, 'null'));
    at = quote === -1 ? end : endOfString(text, quote);
    pieces.push(text.slice(end, at));
  }
  return pieces.join('');
}

function endOfString(text: string, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    at += code === 0x5c ? 2 : 1;
  }
  return text.length;
}
