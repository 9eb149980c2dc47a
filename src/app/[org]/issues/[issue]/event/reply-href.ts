/** Longer addresses are cut by mail programs. */
const QUOTED_CHARS_MAX = 1_000;

/** A draft in the reader's own mail program that answers a feedback; `email` is what `senderAddress` answers. */
export function replyHref(email: string, message: string): string {
  const quoted = message
    .slice(0, QUOTED_CHARS_MAX)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\r\n');
  const draft = { subject: 'Re: Your feedback', body: `\r\n\r\n${quoted}\r\n` };
  const parameters = Object.entries(draft).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?${parameters.join('&')}`;
}
