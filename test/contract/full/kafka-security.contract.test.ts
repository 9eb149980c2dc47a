import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KafkaAuth, parseKafkaAddress } from '#lib/kafka-address.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openKafkaReader } from '#storage/kafka/kafka-reader.ts';
import { openKafkaWriter } from '#storage/kafka/open-kafka-writer.ts';
import { type KafkaCluster, kafkaMissing, startKafkaCluster } from '../../harness/kafka-cluster.ts';
import { makeSelfSigned, opensslMissing } from '../../harness/self-signed.ts';
import { readAtLeast } from '../spool-suite.ts';

const missing = kafkaMissing() ?? opensslMissing();
const name = 'brokers with TLS where one signs in';
const HOST = 'localhost';
const USER = { username: 'errata', password: 'a-secret-of-the-brokers' } as const;

describe.skipIf(missing !== null)(
  missing === null ? name : `${name} (skipped: ${missing})`,
  {
    timeout: 120_000,
  },
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'errata-kafka-tls-'));
    let cluster: KafkaCluster;
    let authority: string;
    beforeAll(async () => {
      const { keyFile, certificate } = makeSelfSigned(folder, HOST);
      authority = certificate;
      cluster = await startKafkaCluster(1, { keyFile, host: HOST, ...USER });
    }, 120_000);
    afterAll(async () => {
      await cluster?.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    const blobs = () => openDiskBlobStore(path.join(folder, 'blobs'));
    const settingsOf = (query: string, auth: Partial<KafkaAuth> = {}, brokers = cluster.secureBrokers) => ({
      ...parseKafkaAddress(`kafka://${brokers.join(',')}/errata?partitions=1&${query}`),
      ...USER,
      authority,
      ...auth,
    });
    const openWriter = (settings: ReturnType<typeof settingsOf>) =>
      openKafkaWriter(settings, { blobs: blobs(), waitingBytesMax: 1e6 });

    test('records are written and read by each mechanism', async () => {
      for (const [index, mechanism] of ['plain', 'scram-sha-256', 'scram-sha-512'].entries()) {
        const settings = settingsOf(`tls=on&sasl=${mechanism}`);
        const writer = await openWriter(settings);
        expect(await writer.append([Buffer.from(mechanism)])).toBe(index + 1);
        const source = await openKafkaReader(settings, blobs());
        const [record] = await readAtLeast(source.open(0, index), index, 1);
        expect(Buffer.from(record!.bytes).toString()).toBe(mechanism);
        await Promise.all([source.close(), writer.close()]);
      }
    });

    test('who has another password is refused, and told which settings those are', async () => {
      for (const mechanism of ['plain', 'scram-sha-512']) {
        const attempt = openWriter(settingsOf(`tls=on&sasl=${mechanism}`, { password: 'another' }));
        await expect(attempt, mechanism).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching(/AUTHENTICATION_FAILED\): check ERRATA_KAFKA_USERNAME/),
        });
      }
    });

    test('a broker that nobody vouches for, or of another name, is not trusted', async () => {
      await expect(openWriter(settingsOf('tls=on&sasl=plain', { authority: null }))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/\(self-signed certificate\): check ERRATA_KAFKA_CA_FILE/),
      });
      const byAddress = cluster.secureBrokers.map((broker) => broker.replace(HOST, '127.0.0.1'));
      await expect(openWriter(settingsOf('tls=on&sasl=plain', {}, byAddress))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/127\.0\.0\.1/),
      });
    });

    test('who speaks without TLS to a broker with it is refused', async () => {
      await expect(openWriter(settingsOf('sasl=plain'))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/whether they want tls=on/),
      });
    });
  },
);
