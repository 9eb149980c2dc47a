import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import type { RawItem } from '../item.ts';
import { contentTypeOf, digestAttachment, fileNameOf } from './digest-attachment.ts';

const EVENT_ID = 'c4ca4238a0b923820dcc509a6f75849b';
const CONTENT = Buffer.from('hello');
const digest = (item: Partial<RawItem>, envelopeEventId: string | null = EVENT_ID) =>
  digestAttachment(rawItem('attachment', CONTENT, item), itemContext({ envelopeEventId }));

describe('an attachment', () => {
  test('goes to the blob store under a key made from its place', () => {
    const result = digest({ filename: 'screenshot.png', attachmentType: 'event.view_hierarchy' });
    const [row] = result.rows.attachments ?? [];
    expect(row).toMatchObject({
      attachmentId: '0123456789abcdef0123456789abcdef',
      eventId: EVENT_ID,
      name: 'screenshot.png',
      contentType: 'image/png',
      type: 'event.view_hierarchy',
      bytes: 5,
      blobKey: '2026-09-21/2/0123456789abcdef0123456789abcdef',
    });
    expect(result.blobs).toEqual([{ key: row?.blobKey, bytes: CONTENT }]);
  });

  test('that the edge stored already stays where it is', () => {
    const blob = { key: '2026-09-21/2/abc', bytes: 12_345_678 };
    const result = digestAttachment(
      rawItem('attachment', new Uint8Array(), { filename: 'a.bin', blob }),
      itemContext({ envelopeEventId: EVENT_ID }),
    );
    expect(result.blobs).toEqual([]);
    expect(result.rows.attachments?.[0]).toMatchObject({ bytes: 12_345_678, blobKey: blob.key });
  });

  test('belongs to an event, or is refused', () => {
    expect(digest({}, null).outcomes).toEqual([
      { category: 'attachment', outcome: 'invalid', reason: 'missing_event_id', quantity: 1 },
    ]);
  });

  test('a placeholder for an upload is not taken', () => {
    const [outcome] = digest({ contentType: 'application/vnd.sentry.attachment-ref+json' }).outcomes;
    expect(outcome).toMatchObject({ outcome: 'filtered', reason: 'unsupported_item' });
  });

  test('a type that is none becomes the usual one', () => {
    const type = (attachmentType: string | null) => digest({ attachmentType }).rows.attachments?.[0]?.type;
    expect(type(null)).toBe('event.attachment');
    expect(type('<script>')).toBe('event.attachment');
    expect(type('event.minidump')).toBe('event.minidump');
  });
});

describe('the name of a file', () => {
  test.each([
    ['a.txt', 'a.txt'],
    ['C:\\Users\\ada\\a.txt', 'a.txt'],
    ['/etc/passwd', 'passwd'],
    ['../../..', 'Unnamed Attachment'],
    ['a\u0000b\u202egnp.exe', 'abgnp.exe'],
    [null, 'Unnamed Attachment'],
    ['folder/', 'Unnamed Attachment'],
    [`${'x'.repeat(300)}.json`, `${'x'.repeat(250)}.json`],
  ])('%j is stored as %s', (sent, name) => {
    expect(fileNameOf(sent)).toBe(name);
  });

  test('is never a path, empty or long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (sent) => {
        const name = fileNameOf(sent);
        expect(name).toMatch(/^[^\\/\p{Cc}]{1,255}$/u);
        expect(['.', '..']).not.toContain(name);
      }),
    );
  });
});

test.each([
  ['text/plain; charset=utf-8', 'a.bin', 'text/plain'],
  ['IMAGE/PNG', 'a', 'image/png'],
  [null, 'a.JSON', 'application/json'],
  ['application/octet-stream', 'crash.dmp', 'application/x-dmp'],
  ['text/html\r\nSet-Cookie: a', 'a.txt', 'text/plain'],
  ['nonsense', 'constructor', 'application/octet-stream'],
  [null, 'a.constructor', 'application/octet-stream'],
])('the content type %j of %s is %s', (sent, name, type) => {
  expect(contentTypeOf(sent, name)).toBe(type);
});
