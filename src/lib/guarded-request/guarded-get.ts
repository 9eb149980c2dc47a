import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isInsideAddress } from './inside-address.ts';
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
  | { kind: 'answered'; url: URL; headers: Readonly<Record<string, string>>; body: Buffer }
  | { kind: 'refused'; reason: RefusalReason; detail: string };

/**
 * `address`: it leads to the inside; `not_allowed`: by `allows`, or no http(s); `status`: not 200; `too_large`, `timeout`
 * and `redirects`: past the bounds; `network`: no answer.
 */
export type RefusalReason =
  | 'address'
  | 'not_allowed'
  | 'status'
  | 'too_large'
  | 'timeout'
  | 'redirects'
  | 'network';

/** What stands between a name and the wire; tests put their own in its place. */
export type Network = {
  /** Every address of a name. */
  lookup: (name: string) => Promise<readonly string[]>;
  isInside: (address: string) => boolean;
};

/** Tried one after the other. */
const ADDRESSES_MAX = 4;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const INTERNET: Network = {
  lookup: async (name) =>
    (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address),
  isInside: isInsideAddress,
};

/**
 * Asks for an address that somebody else named, without being led inside: a name is resolved once, refused when any of
 * its addresses is inside, and the connection goes to the very address that was checked; each redirect is checked the
 * same way. No cookies, no credentials, no connection kept.
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
      const barrier = findBarrier(at, options);
      if (barrier) return barrier;
      const addresses = await resolveName(at, network, deadline);
      if ('kind' in addresses) return addresses;
      const answer = await ask(at, addresses, options, deadline);
      if (answer.kind !== 'redirect') return answer;
      const next: URL | null = URL.parse(answer.location, at);
      if (next && at.protocol === 'https:' && next.protocol === 'http:') {
        return refused('not_allowed', `${at.host} leads from https to http`);
      }
      at = next;
    }
    return refused('redirects', `there are more than ${options.redirectsMax} redirects`);
  } catch (error) {
    if (deadline.aborted) return refused('timeout', `there was no answer in ${options.timeMsMax / 1000} s`);
    return refused('network', `${at?.host ?? 'the server'} could not be reached: ${messageOf(error)}`);
  }
}

function findBarrier(url: URL, options: GuardedGet): GuardedAnswer | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refused('not_allowed', `${url.protocol} is neither http nor https`);
  if (url.username !== '' || url.password !== '')
    return refused('not_allowed', 'the address holds a user or a password');
  return options.allows(url) ? null : refused('not_allowed', `${url.host} is not on the list of hosts`);
}

async function resolveName(
  url: URL,
  network: Network,
  deadline: AbortSignal,
): Promise<readonly string[] | GuardedAnswer> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) ? [name] : await untilAborted(network.lookup(name), deadline);
  if (addresses.length === 0) return refused('network', `${name} has no address`);
  // One of several is enough: the next look-up could put it first.
  const inside = addresses.find(network.isInside);
  if (inside === undefined) return addresses;
  return refused('address', `${name} is at ${inside}, which is an address of an inner network`);
}

type Answer = GuardedAnswer | { kind: 'redirect'; location: string };

async function ask(
  url: URL,
  addresses: readonly string[],
  options: GuardedGet,
  deadline: AbortSignal,
): Promise<Answer> {
  let problem: unknown;
  for (const address of addresses.slice(0, ADDRESSES_MAX)) {
    let response: IncomingMessage;
    try {
      response = await connect(url, address, deadline);
    } catch (error) {
      if (deadline.aborted) throw error;
      problem = error;
      continue;
    }
    return await readAnswer(url, response, options);
  }
  throw problem;
}

/** The address stands where the name would: nothing resolves it again. The name goes into `Host` and the certificate. */
function connect(url: URL, address: string, deadline: AbortSignal): Promise<IncomingMessage> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const settings = {
    host: address,
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    agent: false as const,
    signal: deadline,
    headers: { 'user-agent': 'Errata', 'accept-encoding': 'gzip, br', host: url.host },
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest =
      url.protocol === 'https:'
        ? requestHttps({ ...settings, servername: isIP(name) ? '' : name })
        : requestHttp(settings);
    request.once('response', resolve).once('error', reject).end();
  });
}

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

function flatten(response: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** A look-up cannot be called off; nobody waits for it past the deadline. */
function untilAborted<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
    work.then(resolve, reject);
  });
}

function refused(reason: RefusalReason, detail: string): GuardedAnswer & { kind: 'refused' } {
  return { kind: 'refused', reason, detail };
}

function messageOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : String(error);
}
