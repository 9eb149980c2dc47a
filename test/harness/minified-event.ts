import { nameFunctions } from '#pipeline/symbolicate/javascript/name-functions.ts';
import { SourceText } from '#pipeline/symbolicate/javascript/source-text.ts';
import { bytesAt, packSourceMap } from '#pipeline/symbolicate/source-map/packed-map.ts';
import { parseSourceMap } from '#pipeline/symbolicate/source-map/parse-source-map.ts';
import type { FoundScript, SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { type MadeSegment, type MadeSource, makeSourceMap } from './make-source-map.ts';

export const APP = 'https://shop.example.com/assets/app.js';
const LINES = Array.from({ length: 20 }, (_, line) => `line ${line + 1}`);
export const SOURCES: readonly MadeSource[] = [
  { name: '../src/cart.ts', content: LINES.join('\r\n') },
  { name: '../node_modules/lib/index.js', content: LINES.join('\n') },
  { name: 'webpack://shop/./src/pay.ts', content: null },
];
export const SEGMENTS: readonly MadeSegment[] = [
  { at: [0, 0], from: null },
  { at: [0, 10], from: [0, 7, 4], name: 'applyCoupon' },
  { at: [0, 20], from: [1, 2, 0], name: 'wrapped' },
  { at: [0, 30], from: [2, 4, 0] },
  { at: [0, 40], from: [0, 99, 0] },
];

/** The uploaded script: `text` is its map, and `code` itself, null when it was not uploaded. */
export function script(
  text = makeSourceMap(SOURCES, SEGMENTS),
  change: Partial<FoundScript> = {},
  code: string | null = null,
): FoundScript {
  const parsed = parseSourceMap(text);
  const map = packSourceMap(parsed, code === null ? null : nameFunctions(code, parsed));
  return {
    kind: 'found',
    file: '~/assets/app.js',
    foundBy: 'release',
    baseUrl: APP,
    map,
    findSource: (index) => {
      const bytes = bytesAt(map.contents, index);
      return bytes && new SourceText(bytes);
    },
    ...change,
  };
}

/** What is known of uploads: no mapping, unless said. */
export const sourcesOf = (
  findScript: SymbolSources['findScript'],
  findMapping: SymbolSources['findMapping'] = (debugId) => ({ reason: 'mapping_not_uploaded', debugId }),
): SymbolSources => ({ findScript, findMapping, findSymbols: () => null });

/** An event whose exception has the frames. */
export function eventOf(frames: readonly Frame[], change: Partial<NormalizedEvent> = {}): NormalizedEvent {
  return {
    event_id: '0'.repeat(32),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: 1,
    received: 1,
    release: 'shop@1.0',
    exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames } }] },
    ...change,
  };
}

/** A call in the bundle at a column, from 0. */
export const minified = (column: number, change: Frame = {}): Frame => ({
  function: 'n',
  filename: '/assets/app.js',
  abs_path: APP,
  lineno: 1,
  colno: column + 1,
  in_app: true,
  ...change,
});

export const framesOf = (event: NormalizedEvent) => event.exception?.values[0]?.stacktrace?.frames ?? [];
