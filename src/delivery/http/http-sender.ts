import { guardedPost, type PostAnswer } from '#lib/guarded-request/guarded-request.ts';
import type { Network } from '#lib/guarded-request/network.ts';
import {
  type DestinationSender,
  SEND_MS_MAX,
  type SenderKind,
  type SendJob,
  type SendResult,
} from '../ports/destination-sender.ts';
import {
  type DestinationProtocol,
  type DestinationRequest,
  discord,
  googleChat,
  mattermost,
  msteams,
  ntfy,
  pagerduty,
  slack,
  telegram,
  webhook,
} from './protocols.ts';
import { readAnswer } from './read-answer.ts';

const PROTOCOLS: Readonly<Record<SenderKind, DestinationProtocol>> = {
  webhook,
  slack,
  discord,
  msteams,
  pagerduty,
  telegram,
  mattermost,
  google_chat: googleChat,
  ntfy,
};

/** Messages under way to one host. */
const PER_HOST_MAX = 4;
/** What is read of an answer. */
const ANSWER_BYTES_MAX = 16 * 1_024;
/** One message. */
const BODY_BYTES_MAX = 1_024 * 1_024;

/** Sends over HTTP, to no address of a private network that `network` does not allow. */
export function createDestinationSender(network: Network, now: () => number = Date.now): DestinationSender {
  const underWay = new Map<string, number>();

  return {
    async send(job, timeMsMax = SEND_MS_MAX) {
      const protocol = PROTOCOLS[job.kind];
      const deadline = performance.now() + timeMsMax;
      const requests: DestinationRequest[] = [];
      for (const [index, part] of job.parts.entries()) {
        const request = prepare(protocol, job, part, index);
        if (request === null) return unreadable(protocol);
        requests.push(request);
      }
      const [first] = requests;
      if (!first) return { kind: 'refused', status: null, reason: 'Nothing to send' };
      // Its turn is that of all parts: what was begun is not to wait behind others, and begin again.
      return await withinHost(new URL(first.url).host, () => postAll(protocol, requests, deadline));
    },
  };

  async function postAll(
    protocol: DestinationProtocol,
    requests: readonly DestinationRequest[],
    deadline: number,
  ): Promise<SendResult> {
    let result: SendResult = { kind: 'busy' };
    for (const request of requests) {
      result = await post(protocol, request, deadline - performance.now());
      if (result.kind !== 'sent') break;
    }
    return result;
  }

  function prepare(
    protocol: DestinationProtocol,
    job: SendJob,
    part: SendJob['parts'][number],
    index: number,
  ): DestinationRequest | null {
    try {
      const request = protocol.request(job, part, index, now());
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        accept: 'application/json, text/plain, */*',
        // For receivers that drop what they have already.
        'errata-delivery': job.deliveryId,
        ...request.headers,
      };
      return URL.canParse(request.url) ? { ...request, headers } : null;
    } catch {
      return null;
    }
  }

  async function withinHost(host: string, send: () => Promise<SendResult>): Promise<SendResult> {
    const before = underWay.get(host) ?? 0;
    if (before >= PER_HOST_MAX) return { kind: 'busy' };
    underWay.set(host, before + 1);
    try {
      return await send();
    } finally {
      const left = (underWay.get(host) ?? 1) - 1;
      if (left > 0) underWay.set(host, left);
      else underWay.delete(host);
    }
  }

  async function post(
    protocol: DestinationProtocol,
    { url, headers, body }: DestinationRequest,
    timeMs: number,
  ): Promise<SendResult> {
    if (Buffer.byteLength(body) > BODY_BYTES_MAX) {
      return { kind: 'refused', status: null, reason: `The message is larger than ${BODY_BYTES_MAX} bytes` };
    }
    const timeMsMax = Math.max(1, Math.round(timeMs));
    const answer = await guardedPost(
      url,
      { headers, body, answerBytesMax: ANSWER_BYTES_MAX, timeMsMax },
      network,
    );
    return answer.kind === 'answered' ? readAnswer(protocol, answer, now()) : readRefusal(protocol, answer);
  }
}

function readRefusal(
  protocol: DestinationProtocol,
  { reason, detail }: PostAnswer & { kind: 'refused' },
): SendResult {
  const name = protocol.name.replace(/^The /, 'the ');
  if (reason === 'address') {
    const next = 'your Errata administrator can allow it with ERRATA_ALLOW_INSIDE_ADDRESSES and a restart';
    return {
      kind: 'refused',
      status: null,
      reason: `Requests to ${name} are not allowed: ${detail}; ${next}`,
    };
  }
  if (reason === 'not_allowed') {
    return {
      kind: 'refused',
      status: null,
      reason: `Requests to ${name} are not allowed: ${detail}; save a different URL`,
    };
  }
  return { kind: 'try_later', status: null, reason: `No response from ${name}: ${detail}`, afterMs: null };
}

const unreadable = ({ name }: DestinationProtocol): SendResult => ({
  kind: 'refused',
  status: null,
  reason: `The saved URL is invalid (${name}): save it again`,
});
