import { describe, expect, test } from 'vitest';
import { JSON_DEPTH_MAX, JSON_PARTS_MAX, JsonTooLarge, parseBoundedJson } from './bounded-json.ts';

/** Long enough to be counted, whatever the rest is. */
const PAD = `"${' '.repeat(300_000)}"`;

describe('text that is refused before it is parsed', () => {
  test.each([
    ['arrays', '['.repeat(JSON_DEPTH_MAX)],
    ['objects', '{"":'.repeat(JSON_DEPTH_MAX)],
    ['arrays after strings', `"[","\\"",${'['.repeat(JSON_DEPTH_MAX)}`],
  ])('nested too deep: %s', (_, text) => {
    expect(() => parseBoundedJson(`[${PAD},${text}`)).toThrow(JsonTooLarge);
  });

  test.each([
    ['values', '[', '0,'],
    ['empty objects', '[', '{},'],
    ['keys', '{', '"":0,'],
  ])('too many %s', (_, open, each) => {
    expect(() => parseBoundedJson(open + each.repeat(JSON_PARTS_MAX))).toThrow(JsonTooLarge);
  });
});

test.each([
  ['as deep as it may be', `[${'['.repeat(JSON_DEPTH_MAX - 1)}${']'.repeat(JSON_DEPTH_MAX - 1)},${PAD}]`],
  ['brackets in strings', JSON.stringify(['[{'.repeat(200_000), `\\"${'['.repeat(10_000)}`])],
  ['many values one after the other', `[${PAD}${',[{}]'.repeat(100_000)}]`],
])('parses %s', (_, text) => {
  expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
});

test.each(['{', `${PAD}]${'['.repeat(5_000)}`, `"${'['.repeat(300_000)}`])('is no JSON: %.10s', (text) => {
  expect(() => parseBoundedJson(text)).toThrow(SyntaxError);
  expect(() => parseBoundedJson(text)).not.toThrow(JsonTooLarge);
});
