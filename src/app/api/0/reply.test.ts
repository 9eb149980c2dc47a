import { expect, test } from 'vitest';
import { replyWithPage } from './reply.ts';

const URL_ASKED = new URL(
  'http://127.0.0.1:1234/api/0/projects/main/web/issues?query=is%3Anew&cursor=abc&limit=2',
);
const PUBLIC_URL = 'https://errors.example.com';

test('the next page is linked at the public address with the same parameters and the new cursor', async () => {
  const answer = await replyWithPage(PUBLIC_URL, URL_ASKED, async () => ({
    rows: [1, 2],
    nextCursor: 'def',
  }));
  const address = `${PUBLIC_URL}/api/0/projects/main/web/issues/`;
  expect(answer.body).toEqual([1, 2]);
  expect(answer.link).toBe(
    [
      `<${address}?query=is%3Anew&cursor=0%3A0%3A1&limit=2>; rel="previous"; results="false"; cursor="0:0:1"`,
      `<${address}?query=is%3Anew&cursor=def&limit=2>; rel="next"; results="true"; cursor="def"`,
    ].join(', '),
  );
});

test('the last page says that there is no more, and what comes after it is empty', async () => {
  const last = await replyWithPage(PUBLIC_URL, URL_ASKED, async () => ({ rows: [3], nextCursor: null }));
  const beyond = /rel="next"; results="false"; cursor="([^"]+)"/.exec(last.link ?? '')?.[1] ?? '';
  const url = new URL(URL_ASKED);
  url.searchParams.set('cursor', beyond);
  const answer = await replyWithPage(PUBLIC_URL, url, async () => {
    throw new Error('nothing is to be loaded beyond the end');
  });
  expect(answer.body).toEqual([]);
});

test('a page is loaded with the cursor of the address, the first one with none', async () => {
  const cursors: (string | null)[] = [];
  for (const query of ['?cursor=abc', '', '?cursor=', '?cursor=0:0:1']) {
    await replyWithPage(PUBLIC_URL, new URL(query, 'http://x/api/0/projects/'), async (cursor) => {
      cursors.push(cursor);
      return { rows: [], nextCursor: null };
    });
  }
  expect(cursors).toEqual(['abc', null, null, null]);
});
