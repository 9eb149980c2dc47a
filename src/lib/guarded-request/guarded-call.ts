import { INTERNET, type Network } from './network.ts';
import { failure, flatten, isRefusal, type Refusal, refused, requestPinned } from './pinned-request.ts';
import { readBody } from './read-body.ts';

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
  if (!url) return refused('not_allowed', 'the address cannot be read');
  try {
    const outgoing = { method, headers: { 'accept-encoding': 'gzip, br', ...headers }, body };
    const response = await requestPinned(url, outgoing, network, deadline);
    if (isRefusal(response)) return response;
    const read = await readBody(response, answerBytesMax);
    if (read === 'too_large') return refused('too_large', `the answer has more than ${answerBytesMax} bytes`);
    const status = response.statusCode ?? 0;
    return { kind: 'answered', status, headers: flatten(response), body: read.toString('utf8') };
  } catch (error) {
    return failure(error, url, deadline, timeMsMax);
  }
}
