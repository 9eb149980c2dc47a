import { expect, test } from 'vitest';
import { createSecretBox } from '#lib/secret-box.ts';
import { createUnsubscribeLinks } from './unsubscribe-links.ts';

const URL_OF = 'https://errors.example.com';
const links = createUnsubscribeLinks(createSecretBox('a'.repeat(32), 'unsubscribe'), URL_OF);
/** Too long to come up by chance in a sealed token. */
const USER_ID = 'user-of-the-link';
const WHAT = { userId: USER_ID, organizationId: 3, kind: 'mentions' } as const;

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

test('a link tells what it switches off, and tells nobody else who it is for', () => {
  const url = links.urlFor(WHAT);
  expect(url).toMatch(/^https:\/\/errors\.example\.com\/unsubscribe\/[\w.-]+$/);
  expect(url).not.toContain(USER_ID);
  expect(links.read(tokenOf(url))).toEqual(WHAT);
});

test('what was changed, made with another secret or made for something else opens nothing', () => {
  const token = tokenOf(links.urlFor(WHAT));
  const other = token.charAt(12) === 'A' ? 'B' : 'A';
  const others = createSecretBox('b'.repeat(32), 'unsubscribe');
  const ownBox = createSecretBox('a'.repeat(32), 'unsubscribe');
  for (const wrong of [
    '',
    'v1:',
    token.slice(0, -2),
    `${token.slice(0, 12)}${other}${token.slice(13)}`,
    tokenOf(createUnsubscribeLinks(others, URL_OF).urlFor(WHAT)),
    ownBox.seal(`["${USER_ID}",3,"mentions"]`, 'elsewhere'),
    ownBox.seal(`["${USER_ID}",3,"everything"]`, 'unsubscribe'),
    'x'.repeat(5_000),
  ]) {
    expect([wrong, links.read(wrong)]).toEqual([wrong, null]);
  }
});
