import type { IncomingMessage } from 'node:http';
import { REDIRECTS } from './guarded-request.ts';
import { INTERNET, type Network } from './network.ts';
import {
  codeOrMessage,
  flatten,
  isRefusal,
  noTimings,
  type Outgoing,
  type RequestTimings,
  requestPinned,
} from './pinned-request.ts';
import { unpacked } from './unpacked.ts';

export type GuardedProbe = Outgoing & {
  /** Redirects that are followed; 0 answers the redirect itself. */
  redirectsMax: number;
  /** What is read of the body, unpacked; the rest is not. */
  bodyBytesMax: number;
  /** For everything together. */
  timeMsMax: number;
};

/** How far a probe came, and how long it took. */
export type ProbeTimings = RequestTimings & { totalMs: number };

export type ProbeFailure =
  | 'dns_error'
  | 'connection_error'
  | 'tls_error'
  | 'timeout'
  | 'redirect_error'
  | 'not_allowed';

export type ProbeAnswer = { timings: ProbeTimings } & (
  | {
      kind: 'answered';
      status: number;
      /** Names in lower case. */
      headers: Readonly<Record<string, string>>;
      body: string;
      /** Whether the body went on after what was read of it. */
      isCut: boolean;
    }
  | { kind: 'failed'; reason: ProbeFailure; detail: string }
);

/**
 * Asks an address that somebody named how it is, without being led inside. Never throws. Phases of redirects add up. Headers
 * that were given are secrets: another origin than the first does not get them, nor the body.
 */
export async function guardedProbe(
  address: string,
  probe: GuardedProbe,
  network: Network = INTERNET,
): Promise<ProbeAnswer> {
  const begun = performance.now();
  const deadline = AbortSignal.timeout(probe.timeMsMax);
  const timings = noTimings();
  const timed = () => ({ ...timings, totalMs: performance.now() - begun });
  const failed = (reason: ProbeFailure, detail: string): ProbeAnswer => ({
    kind: 'failed',
    reason,
    detail,
    timings: timed(),
  });
  const first = URL.parse(address);
  if (!first) return failed('not_allowed', 'The URL is not valid');
  let url: URL = first;
  let outgoing: Outgoing = { method: probe.method, headers: probe.headers, body: probe.body };
  let hop = noTimings();
  try {
    for (let hops = 0; ; hops++) {
      hop = noTimings();
      const response = await requestPinned(url, outgoing, network, deadline, hop);
      if (isRefusal(response)) {
        if (response.reason === 'network') return failed('dns_error', `No address: ${response.detail}`);
        const next = response.reason === 'address' ? `; ${ALLOW_HINT}` : '';
        const detail = `The request is not allowed: ${response.detail}${next}`;
        return failed(hops > 0 ? 'redirect_error' : 'not_allowed', detail);
      }
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (!REDIRECTS.has(status) || location === undefined || probe.redirectsMax === 0) {
        const read = await readStart(response, probe.bodyBytesMax);
        addUp(timings, hop);
        return { kind: 'answered', status, headers: flatten(response), ...read, timings: timed() };
      }
      response.destroy();
      addUp(timings, hop);
      if (hops === probe.redirectsMax) {
        return failed('redirect_error', `There are more than ${probe.redirectsMax} redirects`);
      }
      const next = URL.parse(location, url);
      if (!next) return failed('redirect_error', `${url.host} redirects to an invalid URL`);
      outgoing = redirected(outgoing, status, next.origin === first.origin);
      url = next;
    }
  } catch (error) {
    addUp(timings, hop);
    if (deadline.aborted) {
      return failed('timeout', `There was no complete response in ${probe.timeMsMax / 1_000} s`);
    }
    const reason = reasonOf(error, hop, url);
    return failed(reason, `${url.host}: ${FAILURES[reason]} (${codeOrMessage(error)})`);
  }
}

const ALLOW_HINT = 'an administrator can allow it with ERRATA_ALLOW_INSIDE_ADDRESSES';

const FAILURES: Readonly<Record<'dns_error' | 'connection_error' | 'tls_error', string>> = {
  dns_error: 'the name could not be resolved',
  connection_error: 'the connection failed',
  tls_error: 'the secure connection failed',
};

const DNS_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);

/** A secure connection that was begun and not made failed at the certificate, or at what was agreed on. */
function reasonOf(error: unknown, hop: RequestTimings, url: URL): keyof typeof FAILURES {
  if (hop.dnsMs === null || DNS_CODES.has(codeOrMessage(error))) return 'dns_error';
  return url.protocol === 'https:' && hop.connectMs !== null && hop.tlsMs === null
    ? 'tls_error'
    : 'connection_error';
}

function addUp(sum: RequestTimings, hop: RequestTimings): void {
  for (const phase of ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const) {
    const ms = hop[phase];
    if (ms !== null) sum[phase] = (sum[phase] ?? 0) + ms;
  }
  sum.certificateExpiresAt = hop.certificateExpiresAt ?? sum.certificateExpiresAt;
}

/** As browsers do: what was posted is fetched afterwards, unless the status says to post it again. */
function redirected({ method, headers, body }: Outgoing, status: number, isSameOrigin: boolean): Outgoing {
  const isRepeated = status === 307 || status === 308 || method === 'GET' || method === 'HEAD';
  return {
    method: isRepeated ? method : 'GET',
    headers: isSameOrigin ? headers : {},
    body: isRepeated && isSameOrigin ? body : null,
  };
}

async function readStart(
  response: IncomingMessage,
  bytesMax: number,
): Promise<{ body: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unpacked(response)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > bytesMax) break;
    }
  } finally {
    response.destroy();
  }
  const body = Buffer.concat(chunks, bytes).subarray(0, bytesMax).toString('utf8');
  return { body, isCut: bytes > bytesMax };
}
