import { plainLine } from './escape.ts';
import type { MessageContent } from './message-content.ts';

/** Of the feedback that is answered; the rest is cut. */
const QUOTED_CHARACTERS_MAX = 4_096;
const NAME_CHARACTERS_MAX = 100;

/** An answer to whoever sent a feedback: plain text, and what they wrote below. Answers to it go to its author. */
export function composeReply({
  shortId,
  text,
  to,
  quoted,
  author,
}: {
  shortId: string;
  text: string;
  to: string;
  /** What the feedback says; empty when nobody knows any more. */
  quoted: string;
  author: { name: string; email: string };
}): MessageContent & { kind: 'mail' } {
  const quote = quoted
    .slice(0, QUOTED_CHARACTERS_MAX)
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`);
  return {
    summary: `Reply to ${shortId}`,
    kind: 'mail',
    to,
    mail: {
      subject: 'Re: Your feedback',
      text: quoted === '' ? `${text}\n` : `${text}\n\nYou wrote:\n${quote.join('\n')}\n`,
      replyTo: { name: plainLine(author.name, NAME_CHARACTERS_MAX), address: author.email },
    },
  };
}
