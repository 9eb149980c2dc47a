import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FoundScript } from '#pipeline/symbolicate/symbol-sources.ts';
import { symbolicateEvent } from '#pipeline/symbolicate/symbolicate-event.ts';
import type { Frame } from '#protocol/event.ts';
import { type MadeSegment, makeSourceMap } from './harness/make-source-map.ts';
import { eventOf, framesOf, minified, script, sourcesOf } from './harness/minified-event.ts';

type SentFrame = readonly [name: string | null, line: number, column: number];
type Bundle = { bundler: string; script: string; map: string; frames: Record<string, SentFrame> };

const bundles: readonly Bundle[] = readFileSync(
  path.join(import.meta.dirname, 'function-names/bundles.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** By what the error says. `null`: code without a name of its own, which keeps what was sent. */
const NAMES: Record<string, string | null> = {
  constructor: 'new PriceService',
  method: 'PriceService.format',
  getter: 'PriceService.#fail',
  setter: 'PriceService.#fail',
  'static method': 'PriceService.create',
  'async method': 'PriceService.load',
  generator: 'PriceService.items',
  // Sentry leaves the field out.
  'arrow in a class field': 'PriceService.retry',
  'callback in a method': null,
  component: 'ProductList',
  'arrow in a component': 'handleCoupon',
  'inline handler': '<object>.children.onClick',
  'async function in a component': 'checkOut',
  'default export': 'App_jsx_default',
  'method of an object': 'cart.add',
  'arrow in an object': 'cart.remove',
  'function in an object': 'cart.clear',
  'getter of an object': 'get cart.size',
  // Sentry leaves out keys in quotes.
  'quoted property': 'cart.apply-coupon',
  'closure in a method': null,
  'callback of a function': null,
  'method of a prototype': 'Legacy.prototype.render',
  'assigned to a function': 'Legacy.version',
  'assigned later': 'late',
  'callback of a promise': null,
  // Sentry has no name for it.
  'default of a parameter': 'pick',
};

/** What a minifier moves into the place where it is used has the name of that place. */
const MOVED = {
  'arrow in a component': '<object>.children.onClick',
  'async function in a component': '<object>.children.onClick',
  'default export': null,
};
/** Their minifier also puts a closure into the method that calls it, and a value into the variable that is assigned once. */
const INLINED = { ...MOVED, 'closure in a method': 'counter.increment', 'assigned later': null };
const NAMES_BY_BUNDLER: Record<string, Record<string, string | null>> = {
  vite: {},
  esbuild: {},
  rollup: MOVED,
  webpack: MOVED,
  // Their maps name few identifiers: Sentry shows the minified names of classes and variables.
  rspack: INLINED,
  parcel: INLINED,
};

describe.each(bundles)('functions of a bundle by $bundler', ({ bundler, script: code, map, frames }) => {
  const expected = { ...NAMES, ...NAMES_BY_BUNDLER[bundler] };
  const found = script(map, {}, code);

  test('are as many as there are expected names', () => {
    expect(Object.keys(frames).sort()).toEqual(Object.keys(NAMES).sort());
  });

  test.each(Object.entries(frames))('%s', (message, [sent, lineno, colno]) => {
    const mapped = symbolicate(found, minified(0, { function: sent, lineno, colno }));
    expect(mapped?.data?.symbolicated).toBe(true);
    expect(mapped?.function).toBe(expected[message] ?? sent);
  });
});

function symbolicate(found: FoundScript, frame: Frame): Frame | undefined {
  const sources = sourcesOf(() => found);
  return framesOf(symbolicateEvent(eventOf([frame]), sources))[0];
}

describe('what the map says of an identifier', () => {
  const CONTENT = 'class Cart { #pay(){} }\nexport default function(){}';
  const nameOf = (code: string, segments: readonly MadeSegment[], content: string | null = CONTENT) => {
    const map = makeSourceMap([{ name: 'cart.ts', content }], [{ at: [0, 0], from: [0, 0, 0] }, ...segments]);
    return symbolicate(script(map, {}, code), minified(code.indexOf('!'), { function: 'sent' }))?.function;
  };

  test.each<[string, string, readonly MadeSegment[], string]>([
    ['its name', 'function a(){!0}', [{ at: [0, 9], from: [0, 1, 0], name: 'pay' }], 'pay'],
    [
      'the name of the keyword before it, at the same place of the source',
      'function a(){!0}',
      [
        { at: [0, 0], from: [0, 1, 0], name: 'pay' },
        { at: [0, 9], from: [0, 1, 0] },
      ],
      'pay',
    ],
    [
      'the name of the parenthesis behind a key',
      'class A{#a(){!0}}',
      [
        { at: [0, 6], from: [0, 0, 6] },
        { at: [0, 10], from: [0, 0, 17], name: 'pay' },
      ],
      'Cart.#pay',
    ],
    [
      'the word that stands in the source',
      'class A{#a(){!0}}',
      [
        { at: [0, 6], from: [0, 0, 6] },
        { at: [0, 8], from: [0, 0, 13] },
      ],
      'Cart.#pay',
    ],
    ['a keyword of the source', 'function a(){!0}', [{ at: [0, 9], from: [0, 1, 15] }], 'sent'],
    [
      'a place of the source that it does not have',
      'function a(){!0}',
      [{ at: [0, 9], from: [0, 9, 9] }],
      'sent',
    ],
    ['what stands before it', 'function a(){!0}', [{ at: [0, 8], from: [0, 0, 6], name: 'pay' }], 'sent'],
    ['nothing', 'function a(){!0}', [], 'sent'],
    ['nothing of a part', 'const a={b(){!0}}', [{ at: [0, 9], from: [0, 0, 13], name: 'pay' }], 'sent'],
    [
      'a name in a script that does not parse',
      'function a(){!0',
      [{ at: [0, 9], from: [0, 1, 0], name: 'pay' }],
      'sent',
    ],
  ])('%s', (_, code, segments, name) => {
    expect(nameOf(code, segments)).toBe(name);
  });

  test('without the text of its source only a name counts', () => {
    expect(nameOf('function a(){!0}', [{ at: [0, 9], from: [0, 0, 6] }], null)).toBe('sent');
  });
});

test('lines of a script end as engines count them', () => {
  const code = '"\u2028";\r\nfunction a(){!0}';
  const map = makeSourceMap(
    [{ name: 'cart.ts', content: null }],
    [
      { at: [2, 9], from: [0, 0, 0], name: 'pay' },
      { at: [2, 13], from: [0, 0, 5] },
    ],
  );
  const frame = minified(13, { function: 'sent', lineno: 3 });
  expect(symbolicate(script(map, {}, code), frame)?.function).toBe('pay');
});
