import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { expectAccepted } from '../../harness/expect-accepted.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeLargeEnvelope, makeSampleEnvelopes } from '../../harness/sample-items.ts';
import { mountSmallVolume, NO_VOLUME, type SmallVolume } from '../../harness/small-volume.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { deliverEnvelopes } from '../../harness/stubborn-envelopes.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const VOLUME_MEBIBYTES = 600;
const MIB = 1024 * 1024;
const ROUNDS = 5;

let server: ErrataServer | null = null;
let volume: SmallVolume | null = null;

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  volume?.unmount();
});

test('a full disk: 503 with Retry-After, nothing damaged, and everything goes on once there is room', async (context) => {
  const mounted = mountSmallVolume(VOLUME_MEBIBYTES);
  if (mounted === null) return context.skip(NO_VOLUME);
  volume = mounted;
  server = await startErrata({ dataDir: path.join(mounted.folder, 'errata', 'data') });
  const slug = 'disk-full';
  const dsn = parseDsn(await server.project(slug));
  const typesSlug = 'disk-full-types';
  const typesDsn = parseDsn(await server.project(typesSlug));
  const api = createApiClient(server.url, await server.token());
  const ids: string[] = [];
  const send = async (bytes: number): Promise<Awaited<ReturnType<typeof postEnvelope>>> => {
    const event = makeJavascriptError({ issue: ids.length % 5, bytes });
    const answer = await postEnvelope(dsn, eventEnvelope(event));
    if (answer.status === 200) ids.push(event.event_id);
    return answer;
  };
  for (let index = 0; index < 50; index++) expect((await send(3_000)).status).toBe(200);
  await expectExactlyOnce(api, slug, ids);

  mounted.fill();
  const refused = await until(
    'an answer that refuses',
    async () => {
      const answer = await send(200_000);
      return answer.status === 200 ? null : answer;
    },
    { timeoutMs: 60_000, everyMs: 0 },
  );
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // The disk stays full for a while, and everybody meets it, those with large bodies too.
  mounted.fill();
  const envelopes = [
    ...Array.from({ length: ROUNDS }, (_, round) => makeSampleEnvelopes(`full-${round}`)).flat(),
    ...Array.from({ length: ROUNDS }, () => makeLargeEnvelope(2 * MIB)),
  ];
  const delivering = deliverEnvelopes(typesDsn, envelopes);
  for (let index = 0; index < 20; index++) {
    expect([200, 503]).toContain((await send(200_000)).status);
    await sleep(250);
  }

  mounted.empty();
  const freedAt = performance.now();
  await waitUntilReady(server.url, 90_000);
  console.log(`ready ${Math.round(performance.now() - freedAt)} ms after there was room`);
  await until('room again', async () => (await send(3_000)).status === 200, { timeoutMs: 30_000 });
  for (let index = 0; index < 50; index++) expect((await send(3_000)).status).toBe(200);
  await expectExactlyOnce(api, slug, ids, 120_000);
  await expectAccepted(api, typesSlug, await delivering);
  console.log(`all is there ${Math.round(performance.now() - freedAt)} ms after there was room`);
  expect((await server.cli(['quarantine', 'list'])).stdout, 'no healthy record was set aside').toBe('');

  // What lies on the disk can be read by those who start anew, too.
  const restarted: ErrataServer = await server.restart();
  server = restarted;
  await expectExactlyOnce(createApiClient(restarted.url, await restarted.token()), slug, ids);
});
