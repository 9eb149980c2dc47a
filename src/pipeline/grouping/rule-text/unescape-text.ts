const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g;
const CONTROLS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** Resolves the escapes of a quoted text. An unknown one (`\[`) stays, for it may mean something to the glob. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (whole: string, hex?: string, unicode?: string, sign?: string) => {
    const code = hex ?? unicode;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return CONTROLS[sign ?? ''] ?? whole;
  });
}

/** The text in quotes, so that reading it gives it back. */
export const quoteText = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[\n\r\t]/g, (control) => ({ '\n': '\\n', '\r': '\\r' })[control] ?? '\\t')}"`;
