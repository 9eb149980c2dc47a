/** What a mail program makes of a mail. */
export type MailParts = {
  /** By their names in lower case, each on one line. */
  headers: ReadonlyMap<string, string>;
  /** Empty when the mail has no such part. */
  plain: string;
  html: string;
};

/** Takes apart a mail of one text and one HTML part, or of text alone, as RFC 5322 and RFC 2046 write it. */
export function readMail(raw: string): MailParts {
  const { headers, body } = readPart(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return { headers, plain: readWhole(raw).text, html: '' };
  const parts = body.split(`--${boundary}`).slice(1, -1).map(readInner);
  const textOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.text ?? '';
  return { headers, plain: textOf('text/plain'), html: textOf('text/html') };
}

/** The line breaks beside a boundary belong to it. */
const readInner = (raw: string) => readWhole(raw.replace(/^\r\n/, '').replace(/\r\n$/, ''));

function readWhole(raw: string): { type: string; text: string } {
  const { headers, body } = readPart(raw);
  const text = decode(body, headers.get('content-transfer-encoding') ?? '7bit');
  return { type: headers.get('content-type') ?? '', text: text.replaceAll('\r\n', '\n') };
}

function readPart(raw: string): { headers: ReadonlyMap<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: raw.slice(end + 4) };
}

function decode(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
