import type { IncomingMessage } from 'node:http';
import { INTERNET, type Network } from './network.ts';
import {
  failure,
  flatten,
  isRefusal,
  type Outgoing,
  type Refusal,
  refused,
  requestPinned,
} from './pinned-request.ts';
import { readBody } from './read-body.ts';

export type GuardedGet = {
  /** Says of each address on the way, redirects too, whether it may be asked for. */
  allows: (url: URL) => boolean;
  /** Of the body as it is unpacked. */
  bytesMax: number;
  /** For everything together. */
  timeMsMax: number;
  redirectsMax: number;
};

export type GuardedAnswer =
  /** `url`: where the last redirect led. */
  { kind: 'answered'; url: URL; headers: Readonly<Record<string, string>>; body: Buffer } | Refusal;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Asks for an address that somebody else named, without being led inside; each redirect is checked the same way. No
 * cookies, no credentials.
 */
export async function guardedGet(
  url: string,
  options: GuardedGet,
  network: Network = INTERNET,
): Promise<GuardedAnswer> {
  const deadline = AbortSignal.timeout(options.timeMsMax);
  let at = URL.parse(url);
  try {
    for (let hops = 0; hops <= options.redirectsMax; hops++) {
      if (!at) return refused('not_allowed', 'the address cannot be read');
      const asked: URL = at;
      if (!options.allows(asked)) return refused('not_allowed', `${asked.host} is not on the list of hosts`);
      const response: IncomingMessage | Refusal = await requestPinned(asked, OUTGOING, network, deadline);
      if (isRefusal(response)) return response;
      const answer = await readAnswer(asked, response, options);
      if (answer.kind !== 'redirect') return answer;
      const next: URL | null = URL.parse(answer.location, asked);
      if (next && asked.protocol === 'https:' && next.protocol === 'http:') {
        return refused('not_allowed', `${asked.host} leads from https to http`);
      }
      at = next;
    }
    return refused('redirects', `there are more than ${options.redirectsMax} redirects`);
  } catch (error) {
    return failure(error, at, deadline, options.timeMsMax);
  }
}

const OUTGOING: Outgoing = { method: 'GET', headers: { 'accept-encoding': 'gzip, br' }, body: null };

type Answer = GuardedAnswer | { kind: 'redirect'; location: string };

async function readAnswer(url: URL, response: IncomingMessage, options: GuardedGet): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (REDIRECTS.has(status) && location !== undefined) {
    response.destroy();
    return { kind: 'redirect', location };
  }
  if (status !== 200) {
    response.destroy();
    return refused('status', `${url.host} answered ${status}`);
  }
  const body = await readBody(response, options.bytesMax);
  if (body === 'too_large') return refused('too_large', `the answer has more than ${options.bytesMax} bytes`);
  return { kind: 'answered', url, headers: flatten(response), body };
}
