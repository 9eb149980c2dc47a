import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildCrashEvent, type CrashForm } from './crash-event.ts';

const build = (form: Partial<CrashForm>) => {
  const { payload, eventId, unreadable } = buildCrashEvent({
    event: null,
    breadcrumbs: [],
    fields: [],
    ...form,
  });
  return { event: JSON.parse(payload.toString()) as Record<string, unknown>, eventId, unreadable };
};
const ID = '9ec79c33ec9942ab8353589fcb2e04dc';

test('nothing makes a native crash without words', () => {
  expect(build({})).toEqual({ event: { platform: 'native', level: 'fatal' }, eventId: null, unreadable: [] });
});

test('the id is looked for in the event first, then in the form in its order', () => {
  const field = (id: string): [string, string] => ['sentry[event_id]', id];
  expect(build({ event: encode({ event_id: ID }), fields: [field('f'.repeat(32))] }).eventId).toBe(ID);
  expect(
    build({ fields: [['sentry', JSON.stringify({ event_id: ID })], field('f'.repeat(32))] }).eventId,
  ).toBe(ID);
  expect(build({ fields: [field(ID)] }).eventId).toBe(ID);
});

test('pieces of a long payload are put together by their number', () => {
  const text = JSON.stringify({ message: 'hello there', level: 'error' });
  const fields: [string, string][] = [
    ['sentry__10', text.slice(20)],
    ['sentry__2', text.slice(10, 20)],
    ['sentry__1', text.slice(0, 10)],
  ];
  expect(build({ fields }).event).toEqual({ message: 'hello there', level: 'error', platform: 'native' });
});

test('nested names become nested fields; what is no such name becomes extra', () => {
  const deep = `sentry${'[x]'.repeat(16)}`;
  const fields: [string, string][] = [
    ['sentry[user][id]', '7'],
    ['sentry[user][id]', '8'],
    ['sentry[tags][a]b', 'odd'],
    [deep, 'too deep'],
    ['version', '1.2'],
  ];
  expect(build({ fields }).event).toEqual({
    platform: 'native',
    level: 'fatal',
    user: { id: '7' },
    extra: { version: '1.2' },
  });
});

test('breadcrumbs of two files: the newer last, as many as the longer file holds', () => {
  const crumbs = (...entries: Record<string, unknown>[]) =>
    Buffer.concat(entries.map((entry) => encode(entry)));
  const newer = crumbs({ message: 'c', timestamp: 3 }, { message: 'd', timestamp: 4 });
  const older = crumbs({ message: 'b', timestamp: '1970-01-01T00:00:02Z' });
  for (const breadcrumbs of [
    [newer, older],
    [older, newer],
  ]) {
    expect(build({ breadcrumbs }).event.breadcrumbs).toEqual({
      values: [
        { message: 'c', timestamp: 3 },
        { message: 'd', timestamp: 4 },
      ],
    });
  }
});

test('names that mean something to the language are fields like any other', () => {
  const fields: [string, string][] = [
    ['sentry[__proto__][polluted]', 'yes'],
    ['sentry', '{"__proto__":{"polluted":"json"},"constructor":{"prototype":{"polluted":"json"}}}'],
    ['__proto__', 'extra'],
  ];
  const { event } = build({ fields });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getOwnPropertyDescriptor(event, '__proto__')?.value).toEqual({ polluted: 'yes' });
});

test('bytes and depth without end do not get through', () => {
  const deepJson = '{"a":'.repeat(100_000).concat('1', '}'.repeat(100_000));
  const deepPack = Buffer.concat([Buffer.alloc(100_000, 0x91), encode(1)]);
  const hugeArray = Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]);
  for (const form of [
    { fields: [['sentry', deepJson]] as [string, string][] },
    { event: deepPack },
    { event: hugeArray },
    { breadcrumbs: [hugeArray] },
  ]) {
    const { event, unreadable } = build(form);
    expect(event).toEqual({ platform: 'native', level: 'fatal' });
    expect(unreadable).toHaveLength(1);
  }
});

test('never throws, and always makes JSON', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.json().map((text) => encode(JSON.parse(text))),
  );
  const name = fc.oneof(
    fc.constantFrom('sentry', 'sentry__1', 'sentry___x', 'sentry[a][b]', 'sentry['),
    fc.string(),
  );
  fc.assert(
    fc.property(
      fc.option(bytes),
      fc.array(bytes, { maxLength: 2 }),
      fc.array(fc.tuple(name, fc.oneof(fc.json(), fc.string())), { maxLength: 6 }),
      (event, breadcrumbs, fields) => {
        expect(build({ event, breadcrumbs, fields }).event).toBeTypeOf('object');
      },
    ),
    { numRuns: 500 },
  );
});
