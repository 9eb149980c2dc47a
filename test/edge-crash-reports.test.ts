import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  EDGE_KEY,
  EDGE_PROJECT,
  expectRefusal,
  itemsOf,
  type OpenEdge,
  openEdge,
  send,
} from './harness/open-edge.ts';

const ID = '9ec79c33ec9942ab8353589fcb2e04dc';
const DASHED = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MIB = 1024 * 1024;
const at = (rest: string) => `/api/${EDGE_PROJECT}/${rest}`;

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge.close());
beforeEach(() => {
  edge.records.length = 0;
  edge.refused.length = 0;
});

const dump = (bytes = 100) => Buffer.concat([Buffer.from('MDMP'), Buffer.alloc(bytes - 4, 7)]);
const form = (
  parts: Record<string, string | { name: string; bytes: Uint8Array; type?: string }>,
): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new File([new Uint8Array(value.bytes)], value.name, { type: value.type ?? '' }));
  }
  return data;
};

describe('/events/…/attachments/', () => {
  test('keeps the files of a form for an event that came before', async () => {
    const body = form({
      a: { name: 'log.txt', bytes: Buffer.from('some text'), type: 'text/plain' },
      b: { name: '../../screen.png', bytes: Buffer.alloc(2 * MIB, 1), type: 'image/png' },
      ignored: 'field',
    });
    const dashed = ID.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toUpperCase();
    const response = await send(edge, at(`events/${dashed}/attachments/`), body);
    expect([response.status, await response.text()]).toEqual([201, '']);
    const [record] = edge.records;
    expect(record?.eventId).toBe(ID);
    expect(itemsOf(record)).toEqual([
      { type: 'attachment', payload: 'some text', facts: { filename: 'log.txt', contentType: 'text/plain' } },
      {
        type: 'attachment',
        payload: '',
        facts: {
          filename: 'screen.png',
          contentType: 'image/png',
          blob: { key: expect.stringMatching(/^\d{4}-\d\d-\d\d\/42\/[0-9a-f]{32}$/), bytes: 2 * MIB },
        },
      },
    ]);
    const blob = record?.items[1]?.facts?.blob;
    expect(await edge.blobs.readWhole(blob?.key ?? '', 3 * MIB)).toEqual(Buffer.alloc(2 * MIB, 1));
  });

  test('refuses an id that is none, a body that is no form, a cut one and one without files', async () => {
    const file = form({ a: { name: 'a', bytes: Buffer.from('a') } });
    await expectRefusal(await send(edge, at('events/7/attachments/'), file), 400, /not a valid event ID/);
    await expectRefusal(await send(edge, at(`events/${ID}/attachments/`), 'x'), 400, /multipart/);
    await expectRefusal(await send(edge, at(`events/${ID}/attachments/`), form({ a: 'x' })), 400, /no files/);
    const cut = await send(
      edge,
      at(`events/${ID}/attachments/`),
      '--b\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\nhalf',
      {
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
    );
    await expectRefusal(cut, 400, /multipart/);
    expect(edge.refused).toMatchObject(Array(4).fill({ category: 'attachment', outcome: 'invalid' }));
    expect(edge.records).toEqual([]);
  });

  test('refuses more files than an event may have', async () => {
    const parts = Object.fromEntries(
      Array.from({ length: 31 }, (_, index) => [`f${index}`, { name: `f${index}`, bytes: Buffer.from('x') }]),
    );
    await expectRefusal(
      await send(edge, at(`events/${ID}/attachments/`), form(parts)),
      413,
      /30 attachments/,
    );
  });
});

describe('/minidump/', () => {
  const payloadOf = (index: number) => edge.records[0]?.items[index]?.payload;
  const eventOf = () => JSON.parse(Buffer.from(payloadOf(0) ?? '').toString()) as Record<string, unknown>;
  const DUMP_FACTS = { contentType: 'application/x-dmp', attachmentType: 'event.minidump' };

  const packings: [string, Buffer, string][] = [
    ['plain', dump(), 'crash.dmp'],
    ['packed by gzip', gzipSync(dump()), 'crash.dmp.gz'],
    ['packed by zstd', zstdCompressSync(dump()), 'crash.dmp.zst'],
    ['big-endian', Buffer.from('PMDM and more'), 'crash.dmp'],
  ];

  test.each(packings)('takes a dump that is %s, in a form and as the body', async (_name, bytes, name) => {
    const inForm = await send(edge, at('minidump/'), form({ upload_file_minidump: { name, bytes } }));
    const asBody = await send(edge, at('minidump'), bytes, {
      headers: { 'content-type': 'application/octet-stream' },
    });
    for (const [index, response] of [inForm, asBody].entries()) {
      const text = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/plain; charset=utf-8',
      ]);
      expect(text).toMatch(DASHED);
      expect(edge.records[index]?.eventId).toBe(text.replaceAll('-', ''));
    }
    const [first, second] = edge.records;
    expect(first?.items.map(({ type }) => type)).toEqual(['event', 'attachment']);
    expect(first?.items[1]?.facts).toEqual({ ...DUMP_FACTS, filename: 'crash.dmp' });
    expect(second?.items[1]?.facts).toEqual({ ...DUMP_FACTS, filename: 'Minidump' });
    const plain = name === 'crash.dmp' ? bytes : dump();
    expect(Buffer.from(first?.items[1]?.payload ?? '')).toEqual(plain);
    expect(Buffer.from(second?.items[1]?.payload ?? '')).toEqual(plain);
    expect(eventOf()).toEqual({ platform: 'native', level: 'fatal' });
  });

  test('streams a large dump into the blob store, also a packed one', async () => {
    for (const bytes of [dump(3 * MIB), gzipSync(dump(3 * MIB))]) {
      edge.records.length = 0;
      const response = await send(
        edge,
        at('minidump/'),
        form({ upload_file_minidump: { name: 'a.dmp', bytes } }),
      );
      expect(response.status).toBe(200);
      const blob = edge.records[0]?.items[1]?.facts?.blob;
      expect(blob?.bytes).toBe(3 * MIB);
      expect((await edge.blobs.readWhole(blob?.key ?? '', 4 * MIB))?.equals(dump(3 * MIB))).toBe(true);
    }
    expect(edge.memory.heldBytes).toBe(0);
  });

  test('makes one event of the files and fields beside the dump; what comes first counts', async () => {
    const body = form({
      __sentry_early: 'x',
      'sentry[release]': 'form@1',
      'sentry[tags][region]': 'eu',
      'sentry[event_id]': '0'.repeat(31).concat('1'),
      sentry: JSON.stringify({ release: 'json@1', tags: { region: 'us', shard: '7' }, user: { id: 'u1' } }),
      sentry___native: JSON.stringify({ user: { id: 'u2', email: 'a@b.example' } }),
      __proto__: 'no harm',
      prod: 'Game',
      '__sentry-event': {
        name: '__sentry-event',
        bytes: encode({ event_id: ID, message: 'from msgpack', tags: { region: 'msgpack' } }),
      },
      '__sentry-breadcrumb1': {
        name: '__sentry-breadcrumb1',
        bytes: Buffer.concat([
          encode({ message: 'third', timestamp: '2026-01-01T00:00:03Z' }),
          encode({ message: 'fourth', timestamp: '2026-01-01T00:00:04Z' }),
        ]),
      },
      '__sentry-breadcrumb2': {
        name: '__sentry-breadcrumb2',
        bytes: encode({ message: 'second', timestamp: '2026-01-01T00:00:02Z' }),
      },
      upload_file_minidump: { name: 'crash.dmp', bytes: dump() },
      'view-hierarchy.json': {
        name: 'view-hierarchy.json',
        bytes: Buffer.from('{}'),
        type: 'application/json',
      },
      log: { name: 'game.log', bytes: Buffer.from('log') },
    });
    const response = await send(edge, at('minidump/'), body);
    expect((await response.text()).replaceAll('-', '')).toBe(ID);
    expect(eventOf()).toEqual({
      event_id: ID,
      message: 'from msgpack',
      level: 'fatal',
      platform: 'native',
      release: 'form@1',
      tags: { region: 'msgpack', shard: '7' },
      user: { id: 'u1', email: 'a@b.example' },
      breadcrumbs: {
        values: [
          { message: 'third', timestamp: '2026-01-01T00:00:03Z' },
          { message: 'fourth', timestamp: '2026-01-01T00:00:04Z' },
        ],
      },
      extra: { __sentry_early: 'x', prod: 'Game' },
    });
    expect(edge.records[0]?.items.map(({ facts }) => [facts?.filename, facts?.attachmentType])).toEqual([
      [undefined, undefined],
      ['crash.dmp', 'event.minidump'],
      ['view-hierarchy.json', 'event.view_hierarchy'],
      ['game.log', undefined],
    ]);
    expect(edge.records[0]?.outcomes).toEqual([]);
  });

  test('broken data beside the dump does not cost the dump', async () => {
    const body = form({
      sentry: '{"message": ',
      '__sentry-event': { name: '__sentry-event', bytes: Buffer.from([0xc1, 0xff]) },
      upload_file_minidump: { name: 'crash.dmp', bytes: dump() },
    });
    expect((await send(edge, at('minidump/'), body)).status).toBe(200);
    expect(edge.records[0]?.items.map(({ type }) => type)).toEqual(['event', 'attachment']);
    expect(edge.records[0]?.outcomes).toMatchObject([
      { reason: 'invalid_crash_data' },
      { reason: 'invalid_crash_data' },
    ]);
  });

  test('finds the dump that an old Electron put into a form of its own', async () => {
    const inner = Buffer.concat([
      Buffer.from('--inner-boundary\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n'),
      Buffer.from(
        '--inner-boundary\r\ncontent-disposition: form-data; name="upload_file_minidump"; filename="d"\r\n\r\n',
      ),
      dump(),
      Buffer.from('\r\n--inner-boundary--\r\n'),
    ]);
    const response = await send(
      edge,
      at('minidump/'),
      form({ upload_file_minidump: { name: 'd.dmp', bytes: inner } }),
    );
    expect(response.status).toBe(200);
    expect(Buffer.from(payloadOf(1) ?? '')).toEqual(dump());
  });

  test.each([
    ['no dump', form({ other: { name: 'a', bytes: dump() } }), 400, /upload_file_minidump/],
    ['no file at all', form({ a: 'b' }), 400, /upload_file_minidump/],
    [
      'what is no dump',
      form({ upload_file_minidump: { name: 'a', bytes: Buffer.from('hello, dump') } }),
      400,
      /MDMP/,
    ],
    ['an empty dump', form({ upload_file_minidump: { name: 'a', bytes: Buffer.alloc(0) } }), 400, /MDMP/],
    [
      'gzip of what is no dump',
      form({ upload_file_minidump: { name: 'a', bytes: gzipSync('hello, dump') } }),
      400,
      /MDMP/,
    ],
    [
      'broken gzip',
      form({ upload_file_minidump: { name: 'a', bytes: gzipSync(dump()).subarray(0, 20) } }),
      400,
      /decompressed/,
    ],
    [
      'xz',
      form({ upload_file_minidump: { name: 'a', bytes: Buffer.from('\xfd7zXZ\0data', 'latin1') } }),
      400,
      /xz/,
    ],
    ['bzip2', form({ upload_file_minidump: { name: 'a', bytes: Buffer.from('BZh91AY') } }), 400, /bzip2/],
    [
      'an event that is too large',
      form({
        sentry: `{"a":"${'x'.repeat(1.1 * MIB)}"}`,
        upload_file_minidump: { name: 'a', bytes: dump() },
      }),
      413,
      /1048576/,
    ],
  ] as const)('refuses %s', async (_name, body, status, reason) => {
    await expectRefusal(await send(edge, at('minidump/'), body), status, reason);
    expect(edge.refused).toMatchObject([{ category: 'error', outcome: 'invalid' }]);
    expect(edge.records).toEqual([]);
  });

  test('a packed dump that unpacks without end is refused, and nothing of it stays', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('MDMP'), Buffer.alloc(210 * MIB)]), { level: 1 });
    const before = edge.blobFiles();
    const response = await send(
      edge,
      at('minidump/'),
      form({ upload_file_minidump: { name: 'a', bytes: bomb } }),
    );
    await expectRefusal(response, 413, /100 times its size/);
    expect(edge.blobFiles()).toEqual(before);
    expect(edge.memory.heldBytes).toBe(0);
  });
});

describe('/unreal/', () => {
  test('keeps the report whole, with its user, by the key of the path', async () => {
    const report = deflateSync(Buffer.from('CR1 and so on'));
    const response = await send(edge, at(`unreal/${EDGE_KEY}/?UserID=me%7Cepic%7Cmachine`), report, {
      auth: false,
    });
    expect(response.status).toBe(200);
    expect((await response.text()).replaceAll('-', '')).toBe(edge.records[0]?.eventId);
    const [item] = edge.records[0]?.items ?? [];
    expect(item).toMatchObject({
      type: 'unreal_report',
      facts: { contentType: 'application/octet-stream', unrealUser: 'me|epic|machine' },
    });
    expect(Buffer.from(item?.payload ?? '')).toEqual(report);
  });

  test('streams a large one into the blob store', async () => {
    const report = Buffer.concat([Buffer.from('CR1'), Buffer.alloc(2 * MIB, 3)]);
    expect((await send(edge, at(`unreal/${EDGE_KEY}`), report, { auth: false })).status).toBe(200);
    expect(edge.records[0]?.items[0]?.facts?.blob?.bytes).toBe(report.length);
  });

  test.each([
    ['nothing', '', /empty/],
    ['two bytes', 'ab', /Unreal/],
    ['something else', 'hello there', /Unreal/],
  ])('refuses %s', async (_name, body, reason) => {
    await expectRefusal(await send(edge, at(`unreal/${EDGE_KEY}/`), body, { auth: false }), 400, reason);
  });
});
