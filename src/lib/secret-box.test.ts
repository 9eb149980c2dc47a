import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const SECRET = 'a secret of the instance, long enough';
const box = createSecretBox(SECRET, 'destinations');

test('what is sealed opens again, and never looks the same twice', () => {
  const text = '{"url":"https://hooks.example.com/🔑"}';
  const sealed = [box.seal(text, '7'), box.seal(text, '7')];
  expect(sealed[0]).not.toBe(sealed[1]);
  for (const each of sealed) {
    expect(each).toMatch(/^v1:[\w-]+$/);
    expect(each).not.toContain('hooks');
    expect(box.open(each, '7')).toBe(text);
  }
  expect(createSecretBox(SECRET, 'destinations').open(sealed[0]!, '7')).toBe(text);
  expect(box.open(box.seal('', '7'), '7')).toBe('');
});

test('it opens with no other secret, for no other purpose and at no other place', () => {
  const sealed = box.seal('text', '7');
  expect(createSecretBox(`${SECRET}!`, 'destinations').open(sealed, '7')).toBeNull();
  expect(createSecretBox(SECRET, 'trackers').open(sealed, '7')).toBeNull();
  expect(box.open(sealed, '8')).toBeNull();
});

test('what is damaged does not open', () => {
  const sealed = box.seal('text', '7');
  const flipped = sealed.slice(0, 10) + (sealed[10] === 'A' ? 'B' : 'A') + sealed.slice(11);
  for (const bad of [
    '',
    'v1:',
    'v1:AAAA',
    'text',
    sealed.replace('v1:', 'v2:'),
    sealed.slice(0, -4),
    flipped,
  ]) {
    expect([bad, box.open(bad, '7')]).toEqual([bad, null]);
  }
});
