import { expect, test } from 'vitest';
import { unavailable } from '#lib/errors.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { BodySampler } from './body-sampler.ts';
import { type PrepareDeps, prepareBatch } from './digest-batch.ts';
import { encodeRecord } from './spool-record.ts';

const RECEIVED_AT_MS = 1_790_000_000_000;
const BODIES_PER_HOUR = 5;

/** Errors of one issue. */
const records = Array.from({ length: BODIES_PER_HOUR }, (_, index) => {
  const eventId = index.toString(16).padStart(32, '0');
  const event = { event_id: eventId, timestamp: RECEIVED_AT_MS / 1000, message: 'It failed' };
  const record = encodeRecord({
    organizationId: 1,
    projectId: 1,
    keyId: 1,
    receivedAtMs: RECEIVED_AT_MS,
    sentAtMs: null,
    eventId,
    clientIp: null,
    userAgent: null,
    isReplay: false,
    items: [{ type: 'event', payload: Buffer.from(JSON.stringify(event)) }],
    outcomes: [],
  });
  return { position: index + 1, bytes: Buffer.concat(record) };
});

test('a batch that comes again since a store was away counts once for spike protection', async () => {
  const spike = { isEnabled: true, bodiesPerHour: BODIES_PER_HOUR };
  const rules = compileIngestRules({ ...DEFAULT_INGEST_SETTINGS, spike });
  let isAway = true;
  let understood = 0;
  const deps: PrepareDeps = {
    recentIds: { find: () => null },
    faults: parseFaultPoints(null),
    rules: { find: () => rules },
    bodies: new BodySampler(),
    lookUpGeo: () => null,
    symbols: {
      run: async (_scope, digest) => {
        if (isAway && ++understood % records.length === 0) throw unavailable('PostgreSQL is away');
        return digest({
          findScript: () => 'unknown',
          findMapping: () => 'unknown',
          findSymbols: () => null,
        });
      },
    },
    readAhead: async () => ({ crash: null, head: null, videoParts: null }),
  };
  const prepare = () => prepareBatch(deps, 'spool', 0, records);
  for (let attempt = 0; attempt < 3; attempt++) await expect(prepare()).rejects.toThrow('away');
  isAway = false;
  const { events } = await prepare();
  expect(events.map(({ hasBody }) => hasBody)).toEqual(records.map(() => true));
  const beyond = await prepare();
  expect(beyond.events.map(({ hasBody }) => hasBody)).toEqual(records.map(() => false));
});
