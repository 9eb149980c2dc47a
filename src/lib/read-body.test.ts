import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

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
