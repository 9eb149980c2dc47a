import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { messageOf } from '#lib/errors.ts';
import type { Network } from './network.ts';

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

export type Refusal = { kind: 'refused'; reason: RefusalReason; detail: string };

export type Outgoing = {
  method: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/** What a request took, in milliseconds, each null until it happened; and the certificate of the server. */
export type RequestTimings = {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the connection on. */
  firstByteMs: number | null;
  /** Milliseconds since the epoch; null without TLS. */
  certificateExpiresAt: number | null;
};

export const noTimings = (): RequestTimings => ({
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  certificateExpiresAt: null,
});

/** Tried one after the other. */
const ADDRESSES_MAX = 4;

/**
 * One request to the address that its host was resolved and checked for. Throws connection errors. `timings` is filled in as
 * the request proceeds, so that it tells of a failed one how far it came.
 */
export async function requestPinned(
  url: URL,
  outgoing: Outgoing,
  network: Network,
  deadline: AbortSignal,
  timings?: RequestTimings,
): Promise<IncomingMessage | Refusal> {
  const barrier = findBarrier(url);
  if (barrier) return barrier;
  const begun = performance.now();
  const addresses = await resolveName(url, network, deadline);
  if ('kind' in addresses) return addresses;
  if (timings) timings.dnsMs = performance.now() - begun;
  let problem: unknown;
  for (const address of addresses.slice(0, ADDRESSES_MAX)) {
    try {
      return await connect(url, address, outgoing, deadline, timings);
    } catch (error) {
      if (deadline.aborted || (!REPEATABLE.has(outgoing.method) && !isUnsent(error))) throw error;
      problem = error;
    }
  }
  throw problem;
}

export const isRefusal = (answer: IncomingMessage | Refusal): answer is Refusal => 'kind' in answer;

export const refused = (reason: RefusalReason, detail: string): Refusal => ({
  kind: 'refused',
  reason,
  detail,
});

/** Why there was no answer, of what `requestPinned` threw. */
export function failure(error: unknown, url: URL | null, deadline: AbortSignal, timeMsMax: number): Refusal {
  if (deadline.aborted) return refused('timeout', `there was no response in ${timeMsMax / 1000} s`);
  return refused('network', `${url?.host ?? 'the server'} could not be reached: ${codeOrMessage(error)}`);
}

export function flatten(response: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function findBarrier(url: URL): Refusal | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refused('not_allowed', `${url.protocol} is neither http nor https`);
  if (url.username !== '' || url.password !== '')
    return refused('not_allowed', 'the URL contains a user name or a password');
  return null;
}

/** The addresses of a host that may be connected to; none when one of them leads inside. Throws errors of the look-up. */
export async function resolvePinned(
  url: URL,
  network: Network,
  deadline: AbortSignal,
): Promise<readonly string[]> {
  const addresses = findBarrier(url) ?? (await resolveName(url, network, deadline));
  return 'kind' in addresses ? [] : addresses;
}

async function resolveName(
  url: URL,
  network: Network,
  deadline: AbortSignal,
): Promise<readonly string[] | Refusal> {
  const name = nameOf(url);
  const addresses = isIP(name) ? [name] : await untilAborted(network.lookup(name), deadline);
  if (addresses.length === 0) return refused('network', `${name} does not resolve to an address`);
  // One of several is enough: the next look-up could put it first.
  if (!addresses.some((address) => network.isInside(address, url))) return addresses;
  // Which address it is would let whoever may name a destination look up names of the private network.
  return refused(
    'address',
    isIP(name) ? `${name} is an address of a private network` : `${name} resolves to a private network`,
  );
}

/** The address stands where the name would: nothing resolves it again. The name goes into `Host` and the certificate. */
function connect(
  url: URL,
  address: string,
  { method, headers, body }: Outgoing,
  deadline: AbortSignal,
  timings?: RequestTimings,
): Promise<IncomingMessage> {
  const name = nameOf(url);
  const settings = {
    method,
    host: address,
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    agent: false as const,
    signal: deadline,
    headers: {
      'user-agent': 'Errata',
      ...headers,
      ...(body !== null && { 'content-length': String(Buffer.byteLength(body)) }),
      host: url.host,
    },
  };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps({ ...settings, servername: isIP(name) ? '' : name })
        : requestHttp(settings);
    if (timings) watchPhases(request, timings);
    request
      .once('response', resolve)
      .once('error', reject)
      .end(body ?? undefined);
  });
}

function watchPhases(request: ClientRequest, timings: RequestTimings): void {
  const begun = performance.now();
  let readyAt = begun;
  request.once('socket', (socket: Socket) => {
    socket.once('connect', () => {
      readyAt = performance.now();
      timings.connectMs = readyAt - begun;
    });
    if (!(socket instanceof TLSSocket)) return;
    socket.once('secureConnect', () => {
      const connectedAt = readyAt;
      readyAt = performance.now();
      timings.tlsMs = readyAt - connectedAt;
      const expires = Date.parse(socket.getPeerCertificate().valid_to ?? '');
      timings.certificateExpiresAt = Number.isNaN(expires) ? null : expires;
    });
  });
  request.once('response', () => {
    timings.firstByteMs = performance.now() - readyAt;
  });
}

/** Asking again changes nothing. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const nameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Nobody can have read what was never connected to. */
const UNSENT_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);
const isUnsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && UNSENT_CODES.has(error.code);

/** A look-up cannot be called off; nobody waits for it past the deadline. */
function untilAborted<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
    work.then(resolve, reject);
  });
}

export function codeOrMessage(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return messageOf(error);
}
