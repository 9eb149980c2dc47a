import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../harness/api-client.ts';
import { type Dsn, eventEnvelope, postEnvelope } from '../harness/envelope.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';

const PROBE_EVERY_MS = 300;
const LOOK_EVERY_MS = 15;
const READABLE_WITHIN_MS = 10_000;

/** Milliseconds from sending one event to the API's first answer that has it, of one event after the other. */
export async function measureReadable(
  api: ApiClient,
  dsn: Dsn,
  slug: string,
  forMs: number,
): Promise<number[]> {
  const tookMs: number[] = [];
  const endsAt = performance.now() + forMs;
  for (let turn = 0; performance.now() < endsAt; turn++) {
    const event = makeJavascriptError({ issue: turn, bytes: 5_000 });
    const startedAt = performance.now();
    const { status } = await postEnvelope(dsn, eventEnvelope(event));
    if (status !== 200) throw new Error(`An event was answered ${status}`);
    const path = `/api/0/projects/main/${slug}/events/${event.event_id}/`;
    while ((await api.request('GET', path)).status !== 200) {
      if (performance.now() - startedAt > READABLE_WITHIN_MS) throw new Error('An event is not readable');
      await sleep(LOOK_EVERY_MS);
    }
    tookMs.push(performance.now() - startedAt);
    await sleep(PROBE_EVERY_MS);
  }
  return tookMs;
}
