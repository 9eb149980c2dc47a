/** Longest style sheet that is kept; longer ones are left out. */
const SHEET_CHARACTERS_MAX = 2_000_000;

/** What a style sheet may embed: it needs no request. */
const EMBEDDED = /^(?:#|data:(?:image|font|application\/(?:x-)?font)[\w/+.-]*[;,])/i;
const LOADS = /url\(|@import|image-set\(|@namespace|expression\(|-moz-binding/gi;

/**
 * A style sheet, or a part of one, that loads nothing: addresses outside it become empty, imports go. One that hides
 * such things behind escapes is left out as a whole.
 */
export function sanitizeCss(css: string): string {
  if (css.length > SHEET_CHARACTERS_MAX) return '';
  if (countLoads(css) === 0) return css.includes('\\') && countLoads(withoutEscapes(css)) > 0 ? '' : css;
  if (css.includes('\\') && countLoads(withoutEscapes(css)) !== countLoads(css)) return '';
  return css
    .replace(/@(?:import|namespace)\b(?:"[^"]*"|'[^']*'|[^;"'])*(?:;|$)/gi, '')
    .replace(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))\s*\)/gi, (whole, double, single, bare) =>
      EMBEDDED.test(String(double ?? single ?? bare).trim()) ? whole : 'url("")',
    )
    .replace(/(?:-webkit-)?image-set\(|expression\(|-moz-binding/gi, 'removed(');
}

const countLoads = (css: string): number => css.match(LOADS)?.length ?? 0;

/** As a style sheet is read: comments gone, escapes undone. */
const withoutEscapes = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => characterOf(Number.parseInt(hex, 16)))
    .replace(/\\(.)/g, '$1');

const characterOf = (code: number): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
