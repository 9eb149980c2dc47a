import { isIP } from 'node:net';
import { ErrataError, invalid } from '#lib/errors.ts';
import { parseRequestJson, readBody } from '#lib/request-json.ts';
import { createThrottle, type ThrottleRule } from '#lib/throttle.ts';

/**
 * Why a request may not be answered by where it came from; null when it may. A page of another site names its origin. It
 * may have turned its own name to this address, so that the browser takes both for one site: then the host is that name,
 * which is neither ours, nor an address, nor a name without a dot (those cannot be had in the public DNS).
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export function findForeignAddress(headers: Headers, publicUrl: string): string | null {
  const own = new URL(publicUrl);
  const origin = headers.get('origin');
  if (origin !== null && origin !== own.origin) {
    return `Requests from pages of ${origin.slice(0, 200)} are rejected: MCP clients send no Origin header`;
  }
  const host = headers.get('host') ?? '';
  if (host === own.host || isPrivateName(nameOf(host))) return null;
  return `The host "${host.slice(0, 200)}" is not the host of this instance: use ${own.origin}`;
}

/** Without the port and the brackets of an IPv6 address. */
const nameOf = (host: string): string => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');

const isPrivateName = (name: string): boolean =>
  isIP(name) !== 0 || /^[a-z0-9_-]+$/i.test(name) || /^[a-z0-9-]+\.localhost$/i.test(name);

/** A request to the MCP server. */
const BODY_BYTES_MAX = 1024 * 1024;
/** Messages of one request; only clients of the oldest protocol send several. */
const MESSAGES_MAX = 20;

/** The JSON of a request and how many messages it holds. Throws Invalid. */
export async function readMessages(request: Request): Promise<{ body: unknown; count: number }> {
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (!bytes) throw new BodyTooLarge();
  const body = parseRequestJson(bytes);
  const count = Array.isArray(body) ? body.length : 1;
  if (count >= 1 && count <= MESSAGES_MAX) return { body, count };
  throw invalid(`Send 1 to ${MESSAGES_MAX} messages in one request`);
}

/** The body was larger than it may be. */
export class BodyTooLarge extends ErrataError {
  constructor() {
    super('invalid', `The body is larger than ${BODY_BYTES_MAX} bytes`);
  }
}

/** Messages of one token: 120 at once, then 2 a second. */
const RULE: ThrottleRule = { triesMax: 120, refillMs: 500 };
/** Messages of one token that are answered at the same time; a request of the most messages fits. */
const AT_ONCE_MAX = MESSAGES_MAX;

export type CallBudget = {
  /**
   * Takes so many messages of a token's budget. Answers what gives the places back that they have meanwhile, or after how
   * many seconds another try makes sense.
   */
  take(token: string, messages: number): { release: () => void } | { retryAfterSeconds: number };
};

/** Bounds what one token asks for. In memory: a restart forgets. */
export function createCallBudget(now: () => number = Date.now): CallBudget {
  const throttle = createThrottle(RULE, now);
  const running = new Map<string, number>();
  return {
    take(token, messages) {
      for (let taken = 0; taken < messages; taken += 1) {
        const retryAfterSeconds = throttle.take(token);
        if (retryAfterSeconds !== null) return { retryAfterSeconds };
      }
      const withThese = (running.get(token) ?? 0) + messages;
      if (withThese > AT_ONCE_MAX) return { retryAfterSeconds: 1 };
      running.set(token, withThese);
      return { release: () => leave(token, messages) };
    },
  };

  function leave(token: string, messages: number): void {
    const left = (running.get(token) ?? messages) - messages;
    if (left > 0) running.set(token, left);
    else running.delete(token);
  }
}
