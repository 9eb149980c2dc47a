import { setTimeout as sleep } from 'node:timers/promises';
import { authHeader, buildEnvelope, type Dsn } from './envelope.ts';
import type { SampleEnvelope } from './sample-items.ts';

const ATTEMPTS_MAX = 600;
const RETRY_AFTER_MS = 100;
const ANSWER_WITHIN_MS = 15_000;

/** By category: what was answered, and what may have been taken although no answer came. */
export type Sent = { answered: Map<string, number>; perhaps: Map<string, number>; refused: string[] };

/**
 * Sends envelopes over a few connections, each again until it is answered 200. A request whose connection broke may have
 * been taken all the same; what has no id of its own is then counted twice, as with any SDK.
 */
export async function deliverEnvelopes(
  dsn: Dsn,
  envelopes: readonly SampleEnvelope[],
  connections = 8,
): Promise<Sent> {
  const sent: Sent = { answered: new Map(), perhaps: new Map(), refused: [] };
  const queue = envelopes.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const envelope of queue) await deliver(dsn, envelope, sent);
    }),
  );
  return sent;
}

async function deliver(dsn: Dsn, envelope: SampleEnvelope, sent: Sent): Promise<void> {
  const header = { ...(envelope.eventId === null ? {} : { event_id: envelope.eventId }) };
  const body = new Uint8Array(buildEnvelope(header, envelope.items));
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const status = await post(dsn, body);
    if (status === 200) {
      addCounts(sent.answered, envelope.counts);
      return;
    }
    if (status === null) addCounts(sent.perhaps, envelope.counts);
    else if (status < 500 && status !== 429) {
      sent.refused.push(`${envelope.name}: ${status}`);
      return;
    }
    await sleep(RETRY_AFTER_MS);
  }
  sent.refused.push(`${envelope.name}: never answered`);
}

/** null when there was no answer. */
async function post(dsn: Dsn, body: Uint8Array<ArrayBuffer>): Promise<number | null> {
  try {
    const response = await fetch(`${dsn.origin}/api/${dsn.projectId}/envelope/`, {
      method: 'POST',
      headers: { 'x-sentry-auth': authHeader(dsn) },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    return cause === 'ECONNREFUSED' ? 503 : null;
  }
}

function addCounts(to: Map<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [category, quantity] of Object.entries(counts))
    to.set(category, (to.get(category) ?? 0) + quantity);
}
