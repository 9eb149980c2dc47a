import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { authHeader, type Dsn, eventEnvelope } from './envelope.ts';
import type { SampleEvent } from './sample-event.ts';

const ATTEMPTS_MAX = 600;
const RETRY_AFTER_MS = 100;
const ANSWER_WITHIN_MS = 15_000;

export type Delivery = { eventId: string; attempts: number; answered: boolean };

/**
 * Sends events over few connections, each again until it is answered 200, as a client with a queue of its own would.
 * `answered` is false for those that were given up.
 */
export async function deliverStubbornly(
  dsn: Dsn,
  events: readonly SampleEvent[],
  options: {
    connections?: number;
    onAnswer?: (answered: number) => void;
    envelopeOf?: (event: SampleEvent) => Buffer;
  } = {},
): Promise<Delivery[]> {
  const { connections = 16, onAnswer, envelopeOf = eventEnvelope } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const deliveries: Delivery[] = [];
  const queue = [...events].reverse();
  let answered = 0;
  const work = async () => {
    for (let event = queue.pop(); event; event = queue.pop()) {
      const delivery = await deliver(agent, dsn, event.event_id, envelopeOf(event));
      deliveries.push(delivery);
      if (delivery.answered) onAnswer?.(++answered);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return deliveries;
}

async function deliver(agent: Agent, dsn: Dsn, eventId: string, body: Buffer): Promise<Delivery> {
  for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts++) {
    const status = await post(agent, dsn, body).catch(() => 0);
    if (status === 200) return { eventId, attempts, answered: true };
    if (status >= 400 && status < 500 && status !== 429) break;
    await sleep(RETRY_AFTER_MS);
  }
  return { eventId, attempts: ATTEMPTS_MAX, answered: false };
}

/** Answers the status; throws when the connection breaks before the answer. */
function post(agent: Agent, dsn: Dsn, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${dsn.origin}/api/${dsn.projectId}/envelope/`, {
      agent,
      method: 'POST',
      timeout: ANSWER_WITHIN_MS,
      headers: { 'x-sentry-auth': authHeader(dsn), 'content-length': String(body.length) },
    });
    request.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end(body);
  });
}
