import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { logoOf } from './logo-of.ts';

const SPRITE = readFileSync(new URL('./platform-logos.svg', import.meta.url), 'utf8');

it.each([
  ['python', 'python'],
  ['python-django', 'django'],
  ['python-tornado', 'python'],
  ['java-spring-boot', 'spring-boot'],
  ['javascript-sveltekit', 'svelte'],
  ['react-native', 'react'],
  ['react-native-expo', 'expo'],
  ['apple-ios', 'apple'],
  ['cocoa', 'apple'],
  ['native', 'cpp'],
  ['native-qt', 'qt'],
  ['cobol', 'unknown'],
  ['constructor', 'unknown'],
  ['', 'unknown'],
  [null, 'unknown'],
])('%s has the logo %s', (platform, logo) => {
  expect(logoOf(platform)).toBe(logo);
});

it('names each symbol of the sprite, and the sprite has no others', () => {
  const symbols = [...SPRITE.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
  expect(symbols.length).toBeGreaterThan(50);
  for (const symbol of symbols) expect(logoOf(symbol ?? '')).toBe(symbol);
});

it('draws in the color of the text around it, without scripts or styles', () => {
  const tags = new Set([...SPRITE.matchAll(/<([a-z]+)/gi)].map(([, tag]) => tag));
  expect([...tags].sort()).toEqual(['path', 'svg', 'symbol', 'title']);
  expect(SPRITE).not.toMatch(/fill="|style=|href=|\son\w+=/);
});
