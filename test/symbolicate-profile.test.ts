import { describe, expect, test } from 'vitest';
import {
  MAPPED_FRAMES_MAX,
  symbolicateProfile,
} from '#pipeline/symbolicate/javascript/symbolicate-profile.ts';
import type { SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import { type MadeSegment, makeSourceMap } from './harness/make-source-map.ts';
import { APP, SOURCES, script, sourcesOf } from './harness/minified-event.ts';

const DEBUG_ID = 'a1b2c3d4-0000-4000-8000-000000000001';
/** As an engine places a function: at its parameters, counted from 1. */
const CODE = 'function n(b){a(b)}';
const AT = CODE.indexOf('(') + 1;
const SEGMENTS: readonly MadeSegment[] = [
  { at: [0, 0], from: [0, 7, 4] },
  { at: [0, 9], from: [0, 7, 13], name: 'applyCoupon' },
  { at: [0, 11], from: [0, 7, 25] },
];
const FOUND = script(makeSourceMap(SOURCES, SEGMENTS), {}, CODE);
const found = () => FOUND;

const bodyOf = (frames: readonly unknown[], change: object = {}): Record<string, unknown> => ({
  platform: 'javascript',
  debug_meta: { images: [{ type: 'sourcemap', code_file: APP, debug_id: DEBUG_ID }] },
  profile: { frames, stacks: [[0]], samples: [] },
  ...change,
});
const minified = { function: 'n', abs_path: APP, lineno: 1, colno: AT };
const read = (body: unknown, find: SymbolSources['findScript'] = found) =>
  symbolicateProfile(body, 'shop@1', sourcesOf(find));
const framesOf = ({ body }: { body: unknown }) => (body as { profile: { frames: unknown[] } }).profile.frames;

describe('a function of a bundle', () => {
  test('has its name, its file and its line, found by the debug ID of the profile', () => {
    const asked: unknown[] = [];
    const done = read(bodyOf([minified]), (reference) => {
      asked.push(reference);
      return found();
    });
    expect(asked).toContainEqual({ url: APP, debugId: DEBUG_ID, release: 'shop@1', dist: null });
    expect(done).toMatchObject({ mappedFrames: 1, unmapped: [] });
    expect(framesOf(done)).toEqual([
      {
        function: 'applyCoupon',
        filename: '../src/cart.ts',
        abs_path: 'https://shop.example.com/src/cart.ts',
        module: 'src/cart',
        lineno: 8,
        colno: 14,
        // Its path says whose it is.
        in_app: null,
      },
    ]);
  });

  test('stays as it was sent without its map, and it is said why', () => {
    const absent: SymbolSources['findScript'] = () => ({
      kind: 'absent',
      reason: 'debug_id_not_uploaded',
      debugId: DEBUG_ID,
    });
    const body = bodyOf([
      minified,
      { ...minified, colno: 900 },
      { function: 'gc', filename: 'native code' },
      { ...minified, in_app: false },
    ]);
    const done = read(body, absent);
    expect(done.body).toBe(body);
    expect(done.unmapped).toEqual([
      { problem: { reason: 'debug_id_not_uploaded', debugId: DEBUG_ID }, frames: 2 },
    ]);
  });

  test('of a program that Node runs as it was written is no problem', () => {
    const absent: SymbolSources['findScript'] = () => ({
      kind: 'absent',
      reason: 'no_debug_id_and_no_release',
    });
    const frame = {
      function: 'load',
      abs_path: '/app/src/cart.js',
      filename: 'cart.js',
      lineno: 3,
      colno: 9,
    };
    expect(read(bodyOf([frame], { platform: 'node' }), absent).unmapped).toEqual([]);
    const bundled = bodyOf([{ ...minified }], { platform: 'node' });
    expect(read(bundled, absent).unmapped).toHaveLength(1);
  });
});

describe('whatever is sent', () => {
  test('another language, another format and no frames stay as they are', () => {
    for (const body of [
      null,
      [],
      { platform: 'javascript' },
      { platform: 'javascript', profile: { frames: 'x' } },
      bodyOf([minified], { platform: 'python' }),
    ]) {
      expect(read(body)).toEqual({ body, mappedFrames: 0, unmapped: [] });
    }
    const odd = [null, 7, [], { abs_path: 9, lineno: -1, colno: '1' }, minified];
    const done = read(bodyOf(odd, { debug_meta: { images: [null, { type: 'sourcemap' }, 3] } }));
    expect(framesOf(done).slice(0, 4)).toEqual(odd.slice(0, 4));
    expect(done.mappedFrames).toBe(1);
  });

  test('more frames than are mapped keep what was sent', () => {
    const done = read(bodyOf(Array.from({ length: MAPPED_FRAMES_MAX + 2 }, () => minified)));
    expect(done.mappedFrames).toBe(MAPPED_FRAMES_MAX);
    expect(framesOf(done)).toHaveLength(MAPPED_FRAMES_MAX + 2);
    expect(framesOf(done).at(-1)).toEqual(minified);
  });
});
