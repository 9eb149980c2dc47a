import { expect, test } from 'vitest';
import { parseRequestJson, readBody } from './request-json.ts';

const read = (text: string) => parseRequestJson(Buffer.from(text));

test('reads what a store can keep', () => {
  expect(read('{"a":["\\ud83d\\ude00","é",1,null]}')).toEqual({ a: ['😀', 'é', 1, null] });
  expect(read('"\\\\u0000"')).toBe('\\u0000');
});

test.each([
  ['{', /not JSON/],
  ['', /not JSON/],
  ['{"a":"\\u0000"}', /U\+0000/],
  ['{"\\u0000":1}', /U\+0000/],
  ['["\\ud83d"]', /surrogate/],
  [`${'['.repeat(60_000)}"\\u0000"${']'.repeat(60_000)}`, /U\+0000/],
  [`${'['.repeat(300_000)}${']'.repeat(300_000)}`, /nested deeper than 2000/],
])('refuses %.20s', (text, reason) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: 'invalid', message: expect.stringMatching(reason) }),
  );
});

test('refuses bytes that are not UTF-8', () => {
  expect(() => parseRequestJson(Buffer.from([0x22, 0xf0, 0x9f, 0x22]))).toThrow(/not UTF-8/);
});

const of = (body: BodyInit | null) => new Request('http://localhost/', { method: 'POST', body });

test('a body is read up to its bound, and no further', async () => {
  expect((await readBody(of('ä'), 2))?.toString('utf8')).toBe('ä');
  expect(await readBody(of('abc'), 2)).toBeNull();
  expect((await readBody(of(null), 2))?.length).toBe(0);
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(10));
    },
  });
  expect(await readBody({ body: endless }, 25)).toBeNull();
  expect(pulled).toBeLessThan(10);
});
