import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EnvelopeError, EnvelopeReader, HEADER_LINE_BYTES_MAX, type ItemHeader } from './envelope.ts';

const KEEP_EVENTS = (header: ItemHeader) =>
  header.type === 'event' ? ({ kind: 'keep', bytesMax: 1_000 } as const) : ({ kind: 'skip' } as const);

function read(text: string | Buffer, chunkBytes = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text);
  const reader = new EnvelopeReader(KEEP_EVENTS);
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    reader.push(bytes.subarray(offset, Math.min(bytes.length, offset + chunkBytes)));
  }
  const header = reader.end();
  return {
    header,
    items: reader.items.map(({ header: { type }, payload, bytes: size }) => ({
      type,
      size,
      payload: payload ? Buffer.from(payload).toString() : null,
    })),
  };
}

const failure = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof EnvelopeError) return error.kind;
    throw error;
  }
  return 'none';
};

describe('an envelope', () => {
  test('with lengths keeps newlines inside payloads', () => {
    expect(read('{"event_id":"A"}\n{"type":"event","length":4}\n{\n\n}\n').items).toEqual([
      { type: 'event', size: 4, payload: '{\n\n}' },
    ]);
  });

  test('without lengths ends a payload at the newline, and a carriage return belongs to it', () => {
    expect(read('{}\n{"type":"event"}\n{}\r\n{"type":"event"}\n{"a":1}').items).toEqual([
      { type: 'event', size: 3, payload: '{}\r' },
      { type: 'event', size: 7, payload: '{"a":1}' },
    ]);
  });

  test('of a header only is valid, as is one with blank lines at its end', () => {
    expect(read('{}').items).toEqual([]);
    expect(read('{}\n\n\n').items).toEqual([]);
  });

  test('counts a skipped payload without keeping it', () => {
    expect(read('{}\n{"type":"attachment","length":5}\nhello\n{"type":"session"}\n{"x":1}\n').items).toEqual([
      { type: 'attachment', size: 5, payload: null },
      { type: 'session', size: 7, payload: null },
    ]);
  });

  test('may end in an empty payload', () => {
    expect(read('{}\n{"type":"attachment","length":0}\n').items).toHaveLength(1);
    expect(read('{}\n{"type":"attachment","length":0}').items).toHaveLength(1);
    expect(read('{}\n{"type":"event","length":0}\n\n{"type":"event"}\n{}').items).toHaveLength(2);
  });

  test('tells what its header says', () => {
    const { header } = read(
      '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","dsn":"https://a@b/1","sent_at":"2026-01-02T03:04:05Z","sdk":{"name":"x","version":"1"}}',
    );
    expect(header).toEqual({
      eventId: '9ec79c33ec9942ab8353589fcb2e04dc',
      dsn: 'https://a@b/1',
      sentAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
      sdk: 'x/1',
    });
  });

  test.each([
    ['nothing at all', ''],
    ['a header that is no JSON', 'hello\n'],
    ['a header that is no object', '[1]\n'],
    ['an item header that is no JSON', '{}\nhello\n'],
    ['an item without a type', '{}\n{"length":2}\n{}\n'],
    ['a payload shorter than its length', '{}\n{"type":"event","length":10}\n{}\n'],
    ['a payload longer than its length', '{}\n{"type":"event","length":2}\n{}{}\n'],
    ['a negative length', '{}\n{"type":"event","length":-1}\n{}\n'],
    ['a length that is no number', '{}\n{"type":"event","length":"2"}\n{}\n'],
  ])('is malformed with %s', (_what, text) => {
    expect(failure(text)).toBe('malformed');
  });

  test.each([
    ['a header line without an end', 'x'.repeat(HEADER_LINE_BYTES_MAX + 1)],
    ['a kept item that says it is over the limit', '{}\n{"type":"event","length":1001}\n'],
    ['a kept item that runs over the limit', `{}\n{"type":"event"}\n${'x'.repeat(1001)}`],
    ['too many items', `{}\n${'{"type":"a"}\n\n'.repeat(1001)}`],
  ])('is too large with %s', (_what, text) => {
    expect(failure(text)).toBe('too_large');
  });

  test('reads the same however its bytes are cut', () => {
    const text =
      '{"event_id":"A"}\n{"type":"event","length":4}\n{\n\n}\n{"type":"log","item_count":2}\n{"items":[]}\n{"type":"event"}\n{"é":1}';
    const whole = read(text);
    for (let size = 1; size < text.length; size++) expect(read(text, size)).toEqual(whole);
  });

  test('hands a payload to its sink and holds nothing of it, in any pieces', () => {
    const bytes = Buffer.from('{}\n{"type":"attachment","length":6}\nab\ncd\n\n{"type":"event"}\n{"a":1}');
    for (let size = 1; size <= bytes.length; size++) {
      const parts: Buffer[] = [];
      const reader = new EnvelopeReader(({ type }) => ({
        kind: 'keep',
        bytesMax: 100,
        ...(type === 'attachment' && { sink: { write: (part) => void parts.push(Buffer.from(part)) } }),
      }));
      for (let offset = 0; offset < bytes.length; offset += size) {
        reader.push(bytes.subarray(offset, offset + size));
      }
      reader.end();
      expect(Buffer.concat(parts).toString()).toBe('ab\ncd\n');
      expect(reader.items.map(({ payload, bytes: count }) => [payload?.length ?? null, count])).toEqual([
        [null, 6],
        [7, 7],
      ]);
      expect(reader.heldBytes).toBe(7);
    }
  });

  test('stops after its header line, and goes on from there', () => {
    const bytes = Buffer.from('{"dsn":"d"}\n{"type":"event"}\n{}');
    const reader = new EnvelopeReader(KEEP_EVENTS);
    expect(reader.pushHeader(bytes.subarray(0, 5))).toBe(5);
    expect(reader.header).toBeNull();
    const used = reader.pushHeader(bytes.subarray(5));
    expect([used, reader.header?.dsn, reader.items, reader.current]).toEqual([7, 'd', [], null]);
    reader.push(bytes.subarray(5 + used));
    expect(reader.current?.type).toBe('event');
    reader.end();
    expect(reader.items).toHaveLength(1);
  });

  test('knows the item that a refusal is about', () => {
    const reader = new EnvelopeReader(() => {
      throw new Error('refused');
    });
    expect(() => reader.push(Buffer.from('{}\n{"type":"event"}\n{}'))).toThrow('refused');
    expect(reader.current?.type).toBe('event');
  });

  test('tells what the header of an item says, cut to what is useful', () => {
    const reader = new EnvelopeReader(KEEP_EVENTS);
    const said = {
      type: 'attachment',
      content_type: 'text/plain',
      filename: 'f'.repeat(5000),
      attachment_type: 'event.minidump',
      platform: 7,
    };
    reader.push(Buffer.from(`{}\n${JSON.stringify(said)}\n`));
    expect(reader.current).toEqual({
      type: 'attachment',
      length: null,
      itemCount: null,
      contentType: 'text/plain',
      filename: 'f'.repeat(1024),
      attachmentType: 'event.minidump',
      platform: null,
    });
  });

  test('never throws anything but its own error', () => {
    const line = fc.oneof(
      fc.constant('{"type":"event"}'),
      fc.constant('{"type":"x","length":3}'),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 20 }), (lines, size) => {
        try {
          read(lines.join('\n'), size);
        } catch (error) {
          expect(error).toBeInstanceOf(EnvelopeError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
