import { HOUR_MS } from '#lib/time.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { SendResult } from '../ports/destination-sender.ts';
import type { DestinationAnswer, DestinationProtocol } from './protocols.ts';

/** Nobody waits longer on somebody's word; tries of our own end after hours as well. */
const WAIT_MS_MAX = 6 * HOUR_MS;
const SAID_CHARACTERS_MAX = 200;

/** What an answer means for the message, in a sentence where it was not taken. */
export function readAnswer(
  { name, explain, waitMs }: DestinationProtocol,
  answer: DestinationAnswer,
  nowMs: number,
): SendResult {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'sent', status };
  const said = cut(explain?.(answer) ?? null);
  if (status === 429) {
    const afterMs = waitMs?.(answer) ?? readRetryAfter(answer.headers['retry-after'], nowMs);
    const reason = `${name} is rate limiting messages (429)`;
    return { kind: 'try_later', status, reason, afterMs: afterMs && Math.min(afterMs, WAIT_MS_MAX) };
  }
  if (status === 408 || status === 425 || status >= 500) {
    const afterMs = readRetryAfter(answer.headers['retry-after'], nowMs);
    const reason = `${name} could not accept the message (${status}${said && `: ${said}`})`;
    return { kind: 'try_later', status, reason, afterMs: afterMs && Math.min(afterMs, WAIT_MS_MAX) };
  }
  return {
    kind: 'refused',
    status,
    reason: `${name} rejected the message (${status}): ${said || nextStep(answer)}`,
  };
}

function nextStep({ status, headers }: DestinationAnswer): string {
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers.location ?? '');
    return `the URL redirects${target ? `, to ${target.origin}` : ''}: save the URL it redirects to`;
  }
  if (status === 401 || status === 403) return 'the credentials were rejected: save new ones';
  if (status === 404 || status === 410) return 'the URL no longer exists: create a new one and save it here';
  if (status === 405) return 'the URL does not accept messages: check that you copied it completely';
  if (status === 413) return 'the message is too large';
  return "check the destination's URL and settings";
}

/** Seconds, or a date: `Sun, 01 Mar 2026 12:00:00 GMT`. */
function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}(\.\d{1,9})?$/.test(header.trim())) return Math.ceil(Number(header) * 1_000);
  const at = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** What a stranger's server says, on one line. */
function cut(said: string | null): string {
  const line = visibleText(
    (said ?? '').replace(/\s+/g, ' ').trim().slice(0, SAID_CHARACTERS_MAX).toWellFormed(),
  );
  return line.replace(/[.\s]+$/, '');
}
