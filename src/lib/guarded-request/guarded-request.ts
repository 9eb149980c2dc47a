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
import { unpacked } from './unpacked.ts';

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

/** Statuses that lead elsewhere, with a `Location`. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Requests an untrusted address, never an internal one; redirects are checked alike. No cookies, no credentials. */
export async function guardedGet(
  url: string,
  options: GuardedGet,
  network: Network = INTERNET,
): Promise<GuardedAnswer> {
  const deadline = AbortSignal.timeout(options.timeMsMax);
  let at = URL.parse(url);
  try {
    for (let hops = 0; hops <= options.redirectsMax; hops++) {
      if (!at) return refused('not_allowed', 'the URL is not valid');
      const asked: URL = at;
      if (!options.allows(asked))
        return refused('not_allowed', `${asked.host} is not on the list of allowed hosts`);
      const response: IncomingMessage | Refusal = await requestPinned(asked, OUTGOING, network, deadline);
      if (isRefusal(response)) return response;
      const answer = await readAnswer(asked, response, options);
      if (answer.kind !== 'redirect') return answer;
      const next: URL | null = URL.parse(answer.location, asked);
      if (next && asked.protocol === 'https:' && next.protocol === 'http:') {
        return refused('not_allowed', `${asked.host} redirects from https to http`);
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
    return refused('status', `${url.host} returned ${status}`);
  }
  const body = await readBody(response, options.bytesMax);
  if (body === 'too_large')
    return refused('too_large', `the response has more than ${options.bytesMax} bytes`);
  return { kind: 'answered', url, headers: flatten(response), body };
}

export type GuardedCall = {
  method: 'GET' | 'POST';
  /** Besides those of the connection. */
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Of the answer as it is unpacked; a longer one is refused. */
  answerBytesMax: number;
  /** For everything together. */
  timeMsMax: number;
};

/** Whatever the status says, redirects too: they are not followed, for they could lead the credentials anywhere. */
export type CallAnswer =
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; body: string }
  | Refusal;

/** Calls an address that somebody named, without being led inside, and reads the whole answer. Never throws. */
export async function guardedCall(
  address: string,
  { method, headers, body, answerBytesMax, timeMsMax }: GuardedCall,
  network: Network = INTERNET,
): Promise<CallAnswer> {
  const deadline = AbortSignal.timeout(timeMsMax);
  const url = URL.parse(address);
  if (!url) return refused('not_allowed', 'the URL is not valid');
  try {
    const outgoing = { method, headers: { 'accept-encoding': 'gzip, br', ...headers }, body };
    const response = await requestPinned(url, outgoing, network, deadline);
    if (isRefusal(response)) return response;
    const read = await readBody(response, answerBytesMax);
    if (read === 'too_large')
      return refused('too_large', `the response has more than ${answerBytesMax} bytes`);
    const status = response.statusCode ?? 0;
    return { kind: 'answered', status, headers: flatten(response), body: read.toString('utf8') };
  } catch (error) {
    return failure(error, url, deadline, timeMsMax);
  }
}

export type GuardedPost = {
  /** Besides those of the connection. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Of the answer: what comes after them is not read. */
  answerBytesMax: number;
  /** For everything together. */
  timeMsMax: number;
};

/** Whatever the status says, redirects too: they are not followed, for they could lead the body anywhere. */
export type PostAnswer =
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; body: string }
  | Refusal;

/** Posts to an address that somebody named, without being led inside. Never throws. */
export async function guardedPost(
  address: string,
  { headers, body, answerBytesMax, timeMsMax }: GuardedPost,
  network: Network = INTERNET,
): Promise<PostAnswer> {
  const deadline = AbortSignal.timeout(timeMsMax);
  const url = URL.parse(address);
  if (!url) return refused('not_allowed', 'the URL is not valid');
  try {
    const outgoing = { method: 'POST' as const, headers, body };
    const response = await requestPinned(url, outgoing, network, deadline);
    if (isRefusal(response)) return response;
    return {
      kind: 'answered',
      status: response.statusCode ?? 0,
      headers: flatten(response),
      body: await readStart(response, answerBytesMax),
    };
  } catch (error) {
    return failure(error, url, deadline, timeMsMax);
  }
}

/** The beginning of the answer; what breaks off is what arrived. The status has been told, and that decides. */
async function readStart(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= bytesMax) break;
    }
  } catch {
    // What has arrived is enough.
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks, bytes).subarray(0, bytesMax).toString('utf8');
}

/** The decompressed body; limits apply to the decompressed size. Throws connection and decompression errors. */
async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer | 'too_large'> {
  const declared = Number(response.headers['content-length'] ?? 0);
  if (declared > bytesMax) {
    response.destroy();
    return 'too_large';
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unpacked(response)) {
      bytes += (chunk as Buffer).length;
      if (bytes > bytesMax) return 'too_large';
      chunks.push(chunk as Buffer);
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks, bytes);
}
