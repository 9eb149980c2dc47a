import type { IncomingMessage } from 'node:http';
import { INTERNET, type Network } from './network.ts';
import { failure, flatten, isRefusal, type Refusal, refused, requestPinned } from './pinned-request.ts';

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
  if (!url) return refused('not_allowed', 'the address cannot be read');
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
