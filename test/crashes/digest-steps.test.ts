import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../harness/api-client.ts';
import { parseDsn } from '../harness/envelope.ts';
import { expectAccepted } from '../harness/expect-accepted.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { makeSampleEnvelopes } from '../harness/sample-items.ts';
import { type ErrataServer, startErrata } from '../harness/start-errata.ts';
import { deliverEnvelopes } from '../harness/stubborn-envelopes.ts';
import { until } from '../harness/until.ts';
import { waitUntilReady } from '../harness/wait-until-ready.ts';

/** Every place between two steps of the digest; each has a fault point in the code. */
const STEPS = [
  'digest-prepared',
  'digest-blobs-put',
  'digest-ids-remembered',
  'digest-events-inserted',
  'digest-telemetry-inserted',
  'digest-assigned',
  'digest-acknowledged',
] as const;
const ROUNDS = IS_FULL ? 10 : 1;
/** Every step is crashed without processes in test/product/digest-crash.test.ts; with them here, in the short run between the stores. */
const CRASHED = IS_FULL ? STEPS : (['digest-events-inserted'] as const);

let server: ErrataServer;
let token: string;
let folder: string;
const armedFile = (step: string): string => path.join(folder, step);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-armed-'));
  server = await startErrata({
    env: { ERRATA_FAULT_POINTS: STEPS.map((step) => `${step}:armed=${armedFile(step)}`).join(',') },
  });
  token = await server.token();
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test.each(CRASHED)('a crash at %s loses nothing of any type, and counts nothing twice', async (step) => {
  const dsn = parseDsn(await server.project(step));
  const api = createApiClient(server.url, token);
  const before = (await server.pids()).digest;
  writeFileSync(armedFile(step), '');
  const envelopes = Array.from({ length: ROUNDS }, (_, round) =>
    makeSampleEnvelopes(`${step}-${round}`),
  ).flat();
  const sent = await deliverEnvelopes(dsn, envelopes);
  await expectAccepted(api, step, sent);
  expect(existsSync(armedFile(step)), 'the point was reached').toBe(false);
  await waitUntilReady(server.url);
  await until('another digest process', async () => (await server.pids()).digest !== before);
});
