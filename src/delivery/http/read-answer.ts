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
    const reason = `${name} wants fewer messages (429)`;
    return { kind: 'try_later', status, reason, afterMs: afterMs && Math.min(afterMs, WAIT_MS_MAX) };
  }
  if (status === 408 || status === 425 || status >= 500) {
    const afterMs = readRetryAfter(answer.headers['retry-after'], nowMs);
    const reason = `${name} could not take the message (${status}${said && `: ${said}`})`;
    return { kind: 'try_later', status, reason, afterMs: afterMs && Math.min(afterMs, WAIT_MS_MAX) };
  }
  return {
    kind: 'refused',
    status,
    reason: `${name} refused the message (${status}): ${said || nextStep(answer)}`,
  };
}

function nextStep({ status, headers }: DestinationAnswer): string {
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers.location ?? '');
    return `the address leads elsewhere${target ? `, to ${target.origin}` : ''}: save the address that it leads to`;
  }
  if (status === 401 || status === 403) return 'it does not accept the credentials: save new ones';
  if (status === 404 || status === 410)
    return 'there is no such address any more: make a new one there and save it here';
  if (status === 405) return 'the address takes no messages: check that all of it was copied';
  if (status === 413) return 'it is too large';
  return 'check the address and the settings of the destination';
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
