import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '../harness/api-client.ts';
import { buildEnvelope, type Dsn, eventEnvelope, newEventId, postEnvelope } from '../harness/envelope.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeSampleEnvelopes } from '../harness/sample-items.ts';
import type { ErrataServer } from '../harness/start-errata.ts';

/** Changed settings are known to edge and digest after this time. */
const KNOWN_AFTER_MS = 4_000;

/** Filters and limits of the project, data of every kind, and some that the filters and limits turn away. */
export async function fillSettings(server: ErrataServer, dsn: Dsn): Promise<void> {
  const api = createApiClient(server.url, await server.token());
  const put = async (path: string, body: unknown) => {
    const { status } = await api.request('PUT', `/api/0/projects/main/web/${path}`, body);
    if (status >= 300) throw new Error(`${path} was answered ${status}`);
  };
  await put('filters/localhost/', { active: true });
  await put('filters/web-crawlers/', { active: true });
  await put('rate-limits/', {
    limits: [
      { kind: 'errors', limit: 400, window: 86_400 },
      { kind: 'logs', limit: 50, window: 3_600 },
    ],
  });
  await sleep(KNOWN_AFTER_MS);
  for (let round = 0; round < 12; round++) {
    for (const { eventId, items } of makeSampleEnvelopes(`round-${round}`)) {
      // Their events would be one more issue among those of the shop.
      if (items.some(({ type }) => type === 'event')) continue;
      const header = eventId === null ? {} : { event_id: eventId };
      await postEnvelope(dsn, buildEnvelope({ ...header, sent_at: new Date().toISOString() }, items));
    }
    const local = {
      ...makeJavascriptError({ issue: round, bytes: 2_000 }),
      event_id: newEventId(),
      request: { url: 'http://localhost:3000/cart' },
    };
    await postEnvelope(dsn, eventEnvelope(local));
  }
  await sleep(KNOWN_AFTER_MS);
}
