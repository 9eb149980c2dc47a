/** An address that a mail program takes as one: nothing in it ends the address, or adds a header. */
const ADDRESS = /^[^\s@<>()[\],;:"\\?&%]{1,64}@[a-z0-9][a-z0-9.-]{0,253}[a-z0-9]$/i;
/** Longer addresses are cut by mail programs. */
const QUOTED_CHARS_MAX = 1_000;

/** A draft in the reader's own mail program that answers a feedback; null when its sender left no address. */
export function replyHref(email: string, message: string): string | null {
  if (!ADDRESS.test(email)) return null;
  const quoted = message
    .slice(0, QUOTED_CHARS_MAX)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\r\n');
  const draft = { subject: 'Re: Your feedback', body: `\r\n\r\n${quoted}\r\n` };
  const parameters = Object.entries(draft).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?${parameters.join('&')}`;
}
