/** Deeper text is refused: for every open level the parser keeps some 50 bytes outside of the heap. */
export const JSON_DEPTH_MAX = 2_000;
/** Values, keys and brackets of one text: an empty object is 3 characters of text and more than 30 bytes of memory. */
export const JSON_PARTS_MAX = 3_000_000;
/** Up to here the length of the text itself bounds the memory, to some 15 MB. */
const SMALL_CHARS_MAX = 256 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Its message is a sentence for people. */
export class JsonTooLarge extends SyntaxError {}

/** `JSON.parse` for untrusted text. Throws SyntaxError, and JsonTooLarge for too deep a nesting or too many values. */
export function parseBoundedJson(text: string): unknown {
  if (text.length > SMALL_CHARS_MAX) checkBounds(text);
  return JSON.parse(text);
}

/** Counts what separates values, outside of strings, so the text need not be JSON. */
function checkBounds(text: string): void {
  let depth = 0;
  let parts = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth++;
        parts++;
        if (depth > JSON_DEPTH_MAX)
          throw new JsonTooLarge(`It is nested deeper than ${JSON_DEPTH_MAX} levels`);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        // The parser would stop here; what follows must not be counted from below.
        if (depth < 0) return;
        break;
      case COMMA:
      case COLON:
        parts++;
        break;
    }
    if (parts > JSON_PARTS_MAX) throw new JsonTooLarge(`It has more than ${JSON_PARTS_MAX} values and keys`);
  }
}

/** Where the closing quote is; the end of the text when there is none. */
function endOfString(text: string, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}
