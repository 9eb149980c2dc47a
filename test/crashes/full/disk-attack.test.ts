import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { createApiClient } from '../../harness/api-client.ts';
import {
  buildEnvelope,
  type Dsn,
  eventEnvelope,
  newEventId,
  parseDsn,
  postEnvelope,
} from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';

const MIB = 1024 * 1024;
const BOMBS = IS_FULL ? 100 : 4;
const BUDGET_BYTES = 700 * MIB;
/** More than the budget has room for. */
const FLOOD_BYTES = 900 * MIB;
const FLOOD_ITEM_BYTES = 30 * MIB;

test.runIf(IS_FULL)(
  'a server under a flood of attachments keeps within its budget, and keeps everybody’s events',
  async () => {
    // A second try has a server of its own.
    await using server = await startErrata({ env: { ERRATA_DISK_BYTES_MAX: String(BUDGET_BYTES) } });
    const attacked = parseDsn(await server.project('attacked'));
    const bystander = parseDsn(await server.project('bystander'));
    const self = await findSelf(server);
    const api = createApiClient(server.url, await server.token());
    const sent = new Map<Dsn, string[]>([
      [attacked, []],
      [bystander, []],
    ]);
    const sendEvents = async () => {
      for (const [dsn, ids] of sent) {
        const event = makeJavascriptError({ issue: 1, bytes: 3_000 });
        expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
        ids.push(event.event_id);
      }
    };
    for (let index = 0; index < 50; index++) await sendEvents();

    const bomb = gzipSync(buildEnvelope({ event_id: newEventId() }, [attachment(Buffer.alloc(150 * MIB))]));
    expect(bomb.length).toBeLessThan(200_000);
    const statuses = new Map<number, number>();
    for (let index = 0; index < BOMBS; index++) {
      for (const dsn of self ? [attacked, self] : [attacked]) {
        const answer = await postEnvelope(dsn, bomb, { headers: { 'content-encoding': 'gzip' } });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    }
    console.log('bombs answered', [...statuses]);
    expect([...statuses.keys()]).toEqual([413]);

    let taken = 0;
    for (let bytes = 0; bytes < FLOOD_BYTES; bytes += FLOOD_ITEM_BYTES) {
      const body = buildEnvelope({ event_id: newEventId() }, [attachment(randomBytes(FLOOD_ITEM_BYTES))]);
      if ((await postEnvelope(attacked, body)).status === 200) taken += 1;
      await sendEvents();
    }
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    console.log(`attachments taken: ${taken}`, metrics.match(/^errata_storage.*$/gm));
    expect(taken).toBeLessThan(FLOOD_BYTES / FLOOD_ITEM_BYTES);
    expect(await blobBytes(server)).toBeLessThan(BUDGET_BYTES / 2);
    await sendEvents();
    await expectExactlyOnce(api, 'bystander', sent.get(bystander) ?? [], 60_000);
    await expectExactlyOnce(api, 'attacked', sent.get(attacked) ?? [], 60_000);
  },
  900_000,
);

const attachment = (payload: Buffer) => ({ type: 'attachment', payload, headers: { filename: 'core.bin' } });

/** The DSN that the sign-in page publishes. */
async function findSelf({ url }: ErrataServer): Promise<Dsn | null> {
  const page = await (await fetch(`${url}/login`)).text();
  const found = /https?:\/\/([0-9a-f]{32})@[^/"\\]+\/(\d+)/.exec(page);
  return found ? { origin: url, publicKey: found[1] ?? '', projectId: found[2] ?? '' } : null;
}

async function blobBytes({ dataDir }: ErrataServer): Promise<number> {
  const usage = await openDiskBlobStore(path.join(dataDir, 'blobs')).listUsage();
  return usage.reduce((sum, { bytes }) => sum + bytes, 0);
}
