import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { buildEnvelope, type Dsn, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { expectAccepted } from '../../harness/expect-accepted.ts';
import { readReadiness } from '../../harness/read-health.ts';
import {
  installS3Server,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  s3Missing,
  startS3Server,
} from '../../harness/s3-server.ts';
import { makeSampleEnvelopes } from '../../harness/sample-items.ts';
import { type ErrataServer, runCli, startErrata } from '../../harness/start-errata.ts';
import { deliverEnvelopes } from '../../harness/stubborn-envelopes.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

installS3Server();
const missing = s3Missing();
const MIB = 1024 * 1024;
const LARGE_BYTES = 3 * MIB;

const urlOf = (s3: S3Server) => `s3://${S3_BUCKET}/errata?endpoint=${s3.endpoint}`;
const settingsOf = (s3: S3Server) => ({
  ERRATA_BLOBS_URL: urlOf(s3),
  ERRATA_S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
  ERRATA_S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
});

type Attached = { eventId: string; content: Buffer };

/** An event with a large attachment, which goes to the blob store as it arrives. */
async function sendAttachment(dsn: Dsn): Promise<Attached & { status: number }> {
  const eventId = newEventId();
  const content = randomBytes(LARGE_BYTES);
  const envelope = buildEnvelope({ event_id: eventId }, [
    { type: 'event', payload: JSON.stringify({ event_id: eventId, message: 'with a file', level: 'error' }) },
    { type: 'attachment', payload: content, headers: { filename: 'core.bin' } },
  ]);
  return { eventId, content, status: (await postEnvelope(dsn, envelope)).status };
}

async function download(
  server: ErrataServer,
  api: ApiClient,
  slug: string,
  eventId: string,
): Promise<Buffer | null> {
  const at = `/api/0/projects/main/${slug}/events/${eventId}/attachments/`;
  const [file] = await api.get<{ id: string }[]>(at).catch(() => []);
  if (!file) return null;
  const response = await fetch(`${server.url}${at}${file.id}/?download=1`, {
    headers: { authorization: `Bearer ${await server.token()}` },
  });
  return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
}

const expectDownload = (server: ErrataServer, api: ApiClient, slug: string, { eventId, content }: Attached) =>
  until(
    'the attachment as it was sent',
    async () => (await download(server, api, slug, eventId))?.equals(content) === true,
    { timeoutMs: 60_000 },
  );

describe.skipIf(missing !== null)(
  missing === null ? 'blobs in a bucket' : `blobs in a bucket (skipped: ${missing})`,
  () => {
    let s3: S3Server;
    let server: ErrataServer;
    beforeAll(async () => {
      s3 = await startS3Server();
      server = await startErrata({ env: settingsOf(s3) });
    });
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      await s3?.remove();
    });

    test('every kind of item is stored and read from there, nothing on the disk', async () => {
      const dsn = parseDsn(await server.project('bucket'));
      const api = createApiClient(server.url, await server.token());
      const sent = await deliverEnvelopes(dsn, makeSampleEnvelopes('bucket'));
      await expectAccepted(api, 'bucket', sent);
      const attached = await sendAttachment(dsn);
      expect(attached.status).toBe(200);
      await expectDownload(server, api, 'bucket', attached);
      const { checks } = await readReadiness(server);
      expect(checks.blobs?.ok).toBe(true);
      const { existsSync, readdirSync } = await import('node:fs');
      expect(existsSync(path.join(server.dataDir, 'blobs'))).toBe(false);
      expect(readdirSync(path.join(server.dataDir, 'blobs-staging'))).toEqual([]);
    });

    test('while the bucket is away events are taken, bodies are answered 503, and nothing is lost', async () => {
      const dsn = parseDsn(await server.project('away'));
      const api = createApiClient(server.url, await server.token());
      await s3.stop();
      await until('a health check that names it', async () => {
        const { httpStatus, checks } = await readReadiness(server);
        return httpStatus === 503 && checks.blobs?.ok === false;
      });
      expect((await server.cli(['status'])).stdout).toMatch(/^failed {2}blobs .*could not be reached/m);
      const doctor = await server.cli(['doctor']);
      expect(doctor.stdout).toMatch(/failed {3}blobs: .*\n.*→ Check ERRATA_BLOBS_URL/);
      // Small bodies wait in the spool with their event.
      const envelopes = makeSampleEnvelopes('away').filter(({ name }) => /event with attachment/.test(name));
      const sent = await deliverEnvelopes(dsn, envelopes);
      expect(sent.refused).toEqual([]);
      expect((await sendAttachment(dsn)).status).toBe(503);
      await s3.start();
      await waitUntilReady(server.url);
      await expectAccepted(api, 'away', sent);
      const attached = await sendAttachment(dsn);
      expect(attached.status).toBe(200);
      await expectDownload(server, api, 'away', attached);
    });
  },
);

describe.skipIf(missing !== null)(
  missing === null ? 'moving blobs' : `moving blobs (skipped: ${missing})`,
  () => {
    test('from the disk to a bucket and back, while the server runs and with a short stop', {
      timeout: 400_000,
    }, async () => {
      const s3 = await startS3Server();
      const { ERRATA_BLOBS_URL: to, ...keys } = settingsOf(s3);
      let server = await startErrata({ env: keys });
      const migrate = (args: readonly string[]) =>
        runCli(['blobs', 'migrate', ...args], { ERRATA_DATA_DIR: server.dataDir, ...keys });
      try {
        const dsn = parseDsn(await server.project('moves'));
        const attached: Attached[] = [];
        const attach = async () => {
          const sent = await sendAttachment(dsn);
          expect(sent.status).toBe(200);
          const api = createApiClient(server.url, await server.token());
          await expectDownload(server, api, 'moves', sent);
          attached.push(sent);
        };
        const expectAll = async () => {
          const api = createApiClient(server.url, await server.token());
          for (const each of attached) await expectDownload(server, api, 'moves', each);
        };
        for (let count = 0; count < 3; count++) await attach();
        const first = await migrate(['--to', to]);
        expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 blobs seen, 3 copied/) });
        await attach();
        await server.stop();
        const second = await migrate(['--to', to]);
        expect(second.stdout).toMatch(/^4 blobs seen, 1 copied and verified .*, 3 already there/);
        const { dataDir } = server;
        const port = Number(new URL(server.url).port);
        rmSync(path.join(dataDir, 'blobs'), { recursive: true });
        server = await startErrata({ env: settingsOf(s3), dataDir, port });
        await expectAll();
        await attach();
        await server.stop();
        const back = await migrate(['--from', to, '--to', `file://${dataDir}/blobs`]);
        expect(back.stdout).toMatch(/^5 blobs seen, 5 copied/);
        server = await startErrata({ env: keys, dataDir, port });
        await s3.stop();
        await expectAll();
      } finally {
        await server[Symbol.asyncDispose]();
        await s3.remove();
      }
    });
  },
);
