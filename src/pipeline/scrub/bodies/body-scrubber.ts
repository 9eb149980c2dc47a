import type { Plan } from '../compile-plan.ts';
import { type BodyKind, bodyRules, type TextScrubber } from './body-rules.ts';
import { JsonScrubber } from './json-scrubber.ts';
import { LineScrubber } from './line-scrubber.ts';

/** Scrubs the bytes of one text as they come. */
export interface BodyScrubber {
  /** Whether anything was hidden so far. */
  readonly isChanged: boolean;
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Lines of logs begin with brackets too. */
const JSON_START = /^\ufeff?\s*(?:\{\s*["}]|\[\s*["{[\]])/;

/** How the bytes of a text are read. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';

/** Bytes at the beginning that say whether a body is a text. */
export const SNIFF_BYTES = 8 * 1024;
/** Control characters that texts have: tab, line feed, form feed, carriage return, escape, backspace. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 27]);

/** The encoding of a text by its first bytes; null for everything that is no text, such as pictures and archives. */
export function textEncodingOf(head: Uint8Array): TextEncoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (Buffer.from(head.subarray(0, 5)).toString('latin1') === '%PDF-') return null;
  for (const byte of head) if (byte < 32 && !TEXT_CONTROLS.has(byte)) return null;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length >= SNIFF_BYTES });
    return 'utf-8';
  } catch {
    return 'latin1';
  }
}

/** `head` is how the body begins, decoded: JSON is scrubbed field by field, anything else line by line. */
export function openBodyScrubber(
  plan: Plan,
  kind: BodyKind,
  name: string,
  encoding: TextEncoding,
  head: Uint8Array,
): BodyScrubber {
  const rules = bodyRules(plan, kind);
  const isJson = JSON_START.test(decoderOf(encoding)(head));
  const scrubber: TextScrubber = new (isJson ? JsonScrubber : LineScrubber)(rules, name);
  const decode = decoderOf(encoding);
  // A text of two bytes a character is stored in the encoding that everything else has.
  const encode = (text: string) => Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf8');
  return {
    get isChanged() {
      return scrubber.isChanged;
    },
    push: (bytes) => encode(scrubber.push(decode(bytes))),
    end: () => encode(scrubber.push(decode(null)) + scrubber.end()),
  };
}

/** null ends the text. */
function decoderOf(encoding: TextEncoding): (bytes: Uint8Array | null) => string {
  if (encoding === 'latin1') return (bytes) => (bytes ? Buffer.from(bytes).toString('latin1') : '');
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (bytes) => (bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
}
