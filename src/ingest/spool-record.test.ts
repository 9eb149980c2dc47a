import { expect, test } from 'vitest';
import { decodeRecord, encodeRecord, type IngestRecord } from './spool-record.ts';

test('a record comes back as it was, its payloads byte for byte', () => {
  const payload = Buffer.from([0, 255, 10, 123, 13]);
  const record: IngestRecord = {
    organizationId: 1,
    projectId: 2,
    keyId: 3,
    receivedAtMs: 1_790_000_000_123,
    sentAtMs: null,
    eventId: 'ab'.repeat(16),
    clientIp: '::1',
    userAgent: 'é "quoted"\n',
    isReplay: true,
    isImport: true,
    items: [
      { type: 'event', payload },
      { type: 'event', payload: Buffer.alloc(0) },
    ],
    outcomes: [{ category: 'session', outcome: 'filtered', reason: 'unsupported_item', quantity: 4 }],
  };
  const decoded = decodeRecord(Buffer.concat(encodeRecord(record)));
  expect(decoded).toEqual({ ...record, items: decoded.items });
  expect(decoded.items.map((item) => [item.type, Buffer.from(item.payload).toString('hex')])).toEqual([
    ['event', payload.toString('hex')],
    ['event', ''],
  ]);
});

test('a record of an unknown version is refused, not guessed at', () => {
  const text = Buffer.from('{"v":2}');
  const head = Buffer.alloc(4);
  head.writeUInt32LE(text.length);
  expect(() => decodeRecord(Buffer.concat([head, text]))).toThrow('version 2');
});
