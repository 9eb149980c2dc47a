import { describe, expect, test } from 'vitest';
import { asSent } from '#pipeline/symbolicate/frame-problem.ts';
import { packMapping } from '#pipeline/symbolicate/java/packed-mapping.ts';
import { openMapping } from '#pipeline/symbolicate/java/parse-mapping.ts';
import type { FoundScript, ScriptReference, SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import { symbolicateEvent } from '#pipeline/symbolicate/symbolicate-event.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { type MadeSegment, makeSourceMap } from './harness/make-source-map.ts';
import {
  APP,
  eventOf,
  framesOf,
  minified,
  SEGMENTS,
  SOURCES,
  script,
  sourcesOf,
} from './harness/minified-event.ts';

const map = (frames: readonly Frame[], found: FoundScript = script()) =>
  framesOf(
    symbolicateEvent(
      eventOf(frames),
      sourcesOf(() => found),
    ),
  );
const problemOf = (frame: Frame | undefined) => frame?.data?.source_problem;

describe('a frame of a bundle', () => {
  test('is the place in the source, with five lines on either side', () => {
    const [frame] = map([minified(12)]);
    expect(frame).toEqual({
      function: 'n',
      module: 'src/cart',
      filename: '../src/cart.ts',
      abs_path: 'https://shop.example.com/src/cart.ts',
      lineno: 8,
      colno: 5,
      pre_context: ['line 3', 'line 4', 'line 5', 'line 6', 'line 7'],
      context_line: 'line 8',
      post_context: ['line 9', 'line 10', 'line 11', 'line 12', 'line 13'],
      in_app: true,
      data: { sourcemap: '~/assets/app.js', symbolicated: true, resolved_with: 'release' },
    });
  });

  test('is called as its function in the uploaded script, by the name that the map has for it', () => {
    const code = 'function n(){a(b)}';
    const segments: readonly MadeSegment[] = [
      { at: [0, 0], from: [0, 7, 4] },
      { at: [0, 9], from: [0, 7, 13], name: 'applyCoupon' },
      { at: [0, 13], from: [0, 8, 2], name: 'check' },
    ];
    const found = script(makeSourceMap(SOURCES, segments), {}, code);
    expect(map([minified(13), minified(13)], found).map((frame) => frame.function)).toEqual([
      'applyCoupon',
      'applyCoupon',
    ]);
  });

  test('keeps the name that was sent where the script was not uploaded, whatever the frame before it calls', () => {
    expect(map([minified(10), minified(20)]).map((frame) => frame.function)).toEqual(['n', 'n']);
  });

  test('is called as the map says of functions, where it knows them', () => {
    // One function at the first line, another from line 6 on.
    const functions = [[{ names: ['<global>', 'checkout'], mappings: 'AAA,ACK' }], null, null];
    const found = script(makeSourceMap(SOURCES, SEGMENTS, { x_facebook_sources: functions }));
    expect(map([minified(20), minified(10)], found).map((frame) => frame.function)).toEqual([
      'n',
      'checkout',
    ]);
  });

  test('of a package is not the code of the user', () => {
    expect(map([minified(20)])[0]).toMatchObject({
      in_app: false,
      filename: '../node_modules/lib/index.js',
    });
  });

  test('of a source that the map says is ignored is not either', () => {
    const found = script(makeSourceMap(SOURCES, SEGMENTS, { ignoreList: [0] }));
    expect(map([minified(10)], found)[0]?.in_app).toBe(false);
  });

  test('that was sent stays as the raw one', () => {
    const event = symbolicateEvent(
      eventOf([minified(10)]),
      sourcesOf(() => script()),
    );
    expect(event.exception?.values[0]?.raw_stacktrace?.frames).toEqual([minified(10)]);
  });

  test('of a thread keeps what was sent as well', () => {
    const threads = { values: [{ id: 1, stacktrace: { frames: [minified(10)] } }] };
    const event = symbolicateEvent(
      eventOf([], { exception: null, threads }),
      sourcesOf(() => script()),
    );
    expect(event.threads?.values[0]).toMatchObject({
      stacktrace: { frames: [{ lineno: 8 }] },
      raw_stacktrace: { frames: [{ lineno: 1 }] },
    });
  });

  test('holds no text that a store refuses, whatever the map holds', () => {
    const sources = [{ name: 'a\0.ts', content: 'x\0y\ud800' }];
    const found = script(makeSourceMap(sources, [{ at: [0, 0], from: [0, 0, 0], name: 'n\0' }]));
    expect(JSON.stringify(map([minified(0), minified(0)], found))).not.toMatch(/\\u0000|\\ud800/);
  });
});

describe('a frame that shows no source says why', () => {
  test.each([
    ['no line', minified(0, { lineno: null }), { reason: 'no_position' }],
    [
      'a line beyond the map',
      minified(0, { lineno: 9 }),
      { reason: 'line_out_of_range', file: '~/assets/app.js', line: 9 },
    ],
    [
      'code of no source',
      minified(3),
      { reason: 'column_out_of_range', file: '~/assets/app.js', line: 1, column: 4 },
    ],
    [
      'a source without text',
      minified(30),
      { reason: 'source_content_missing', file: '~/assets/app.js', source: 'webpack://shop/./src/pay.ts' },
    ],
    [
      'a line beyond its source',
      minified(40),
      { reason: 'source_content_missing', file: '~/assets/app.js', source: '../src/cart.ts' },
    ],
  ])('%s', (_, frame, problem) => {
    expect(problemOf(map([frame])[0])).toEqual(problem);
  });

  test('a place is named also where its text is missing', () => {
    expect(map([minified(30)])[0]).toMatchObject({
      filename: './src/pay.ts',
      abs_path: 'webpack://shop/./src/pay.ts',
      lineno: 5,
      context_line: null,
    });
  });

  test('why there is no map', () => {
    const problem = { reason: 'release_has_no_files', release: 'shop@1.0' } as const;
    const event = symbolicateEvent(
      eventOf([minified(10)]),
      sourcesOf(() => ({ kind: 'absent', ...problem })),
    );
    expect(problemOf(framesOf(event)[0])).toEqual(problem);
    expect(event.exception?.values[0]?.raw_stacktrace).toBeUndefined();
  });
});

describe('what is no bundle', () => {
  const nobody: SymbolSources = sourcesOf(() => {
    throw new Error('Nobody is to be asked');
  });

  test.each([
    ['another platform', minified(10, { platform: 'python' })],
    ['a part of Node', minified(10, { abs_path: 'node:internal/process' })],
    ['native code', minified(10, { abs_path: '<anonymous>', filename: null })],
    ['what is symbolicated', minified(10, { data: { symbolicated: true } })],
  ])('%s stays', (_, frame) => {
    expect(framesOf(symbolicateEvent(eventOf([frame]), nobody))).toEqual([frame]);
  });

  test('a frame whose source the SDK read itself has no problem', () => {
    const frame = minified(10, { context_line: 'a();' });
    const absent = sourcesOf(() => ({ kind: 'absent', reason: 'no_debug_id_and_no_release' }));
    expect(framesOf(symbolicateEvent(eventOf([frame]), absent))).toEqual([frame]);
  });
});

describe('a script of a server, whose built code the SDK read', () => {
  const debugId = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
  const frame = minified(10, { pre_context: ['z();'], context_line: 'a();', post_context: [] });
  const event = eventOf([frame], {
    debug_meta: { images: [{ type: 'sourcemap', code_file: APP, debug_id: debugId }] },
  });

  test('says that its map is not there, and keeps what was sent', () => {
    const problem = { reason: 'debug_id_not_uploaded', debugId } as const;
    const absent = sourcesOf(() => ({ kind: 'absent', ...problem }));
    expect(framesOf(symbolicateEvent(event, absent))).toEqual([
      { ...frame, data: { source_problem: problem } },
    ]);
    expect(asSent(symbolicateEvent(event, absent))).toEqual(event);
  });

  test('shows its source once there is a map', () => {
    const [mapped] = framesOf(
      symbolicateEvent(
        event,
        sourcesOf(() => script()),
      ),
    );
    expect(mapped).toMatchObject({ lineno: 8, context_line: 'line 8', data: { symbolicated: true } });
    expect(problemOf(mapped)).toBeUndefined();
  });
});

test('an event gets a million characters of source; frames after them are places only', () => {
  const wide = 'x'.repeat(900);
  const found = script(
    makeSourceMap(
      [{ name: '../src/wide.ts', content: Array.from({ length: 11 }, () => wide).join('\n') }],
      [{ at: [0, 10], from: [0, 5, 0] }],
    ),
  );
  const values = Array.from({ length: 4 }, () => ({
    type: 'Error',
    stacktrace: { frames: Array.from({ length: 50 }, () => minified(10)) },
  }));
  let asked = 0;
  const { exception } = symbolicateEvent(
    eventOf([], { exception: { values } }),
    sourcesOf(() => ({
      ...found,
      findSource: (index) => {
        asked++;
        return found.findSource(index);
      },
    })),
  );
  const frames = exception?.values.flatMap(({ stacktrace }) => stacktrace?.frames ?? []) ?? [];
  const withLines = Math.ceil(1_000_000 / (11 * wide.length));
  expect(frames.map((frame) => frame.context_line === wide)).toEqual(
    frames.map((_, index) => index < withLines),
  );
  expect(asked).toBe(withLines);
  expect(frames.at(-1)).toMatchObject({
    filename: '../src/wide.ts',
    lineno: 6,
    pre_context: null,
    context_line: null,
    data: { symbolicated: true, source_problem: { reason: 'source_lines_limit' } },
  });
});

test('a script is asked for with the debug id that the event names for it, its release and its dist', () => {
  const asked: ScriptReference[] = [];
  const images = [
    { type: 'sourcemap', code_file: APP, debug_id: 'AAAAAAAABBBBCCCCDDDDEEEEEEEEEEEE' },
    { type: 'macho', debug_id: 'x' },
  ];
  symbolicateEvent(
    eventOf([minified(10), minified(10, { abs_path: `${APP}?v=2` })], { dist: '7', debug_meta: { images } }),
    sourcesOf((reference) => {
      asked.push(reference);
      return 'unknown';
    }),
  );
  expect(asked).toEqual([
    { url: APP, debugId: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', release: 'shop@1.0', dist: '7' },
    { url: `${APP}?v=2`, debugId: null, release: 'shop@1.0', dist: '7' },
  ]);
});

test('React Native: one line, and an address of the app', () => {
  const url = 'app:///index.android.bundle';
  const [frame] = map([minified(10, { abs_path: url, filename: url })], script(undefined, { baseUrl: url }));
  expect(frame).toMatchObject({ lineno: 8, abs_path: 'app:///src/cart.ts', in_app: true });
});

describe('an event that was stored', () => {
  const stored = symbolicateEvent(
    eventOf([minified(10)]),
    sourcesOf(() => script()),
  );

  test('symbolicated anew it is what it was, from what was sent', () => {
    const marked = {
      ...stored.exception!.values[0]!.raw_stacktrace!.frames[0],
      in_app: false,
      data: { orig_in_app: 1 },
    };
    const value = { ...stored.exception!.values[0], raw_stacktrace: { frames: [marked] } };
    const again = symbolicateEvent(
      asSent({ ...stored, exception: { values: [value] } }),
      sourcesOf(() => script()),
    );
    expect(again).toEqual(stored);
  });

  test('a reason of before is forgotten', () => {
    const absent = sourcesOf(() => ({ kind: 'absent', reason: 'no_debug_id_and_no_release' }));
    const before = symbolicateEvent(eventOf([minified(10)]), absent);
    expect(asSent(before)).toEqual(eventOf([minified(10)]));
  });
});

describe('an obfuscated event', () => {
  const ID = '01234567-89ab-cdef-0123-456789abcdef';
  const MAPPING = `com.acme.Cart -> a.b:
    1:3:void add():40:42 -> a
com.acme.CartException -> a.c:
`;
  const java = (frames: readonly Frame[], debugId = ID): NormalizedEvent => ({
    ...eventOf([]),
    platform: 'java',
    debug_meta: { images: [{ type: 'proguard', uuid: debugId }] },
    exception: { values: [{ type: 'c', module: 'a', value: 'x', stacktrace: { frames } }] },
  });
  const frames: readonly Frame[] = [
    { module: 'java.lang.Thread', function: 'run', lineno: 7 },
    { module: 'a.b', function: 'a', lineno: 2 },
  ];
  const nobody: SymbolSources['findScript'] = () => ({
    kind: 'absent',
    reason: 'no_debug_id_and_no_release',
  });

  test('gets its classes, methods and lines, that of the exception too', () => {
    const mapping = openMapping(packMapping(Uint8Array.from(Buffer.from(MAPPING)))!);
    const event = symbolicateEvent(
      java(frames),
      sourcesOf(nobody, (id) => (id === ID ? mapping : 'unknown')),
    );
    expect(event.exception?.values[0]).toMatchObject({
      type: 'CartException',
      module: 'com.acme',
      stacktrace: {
        frames: [
          { module: 'java.lang.Thread' },
          { module: 'com.acme.Cart', function: 'add', lineno: 41, data: { symbolicated: true } },
        ],
      },
      raw_stacktrace: { frames },
    });
  });

  test('without its mapping it says so where names may be changed', () => {
    const event = symbolicateEvent(java(frames), sourcesOf(nobody));
    expect(framesOf(event).map(problemOf)).toEqual([
      undefined,
      { reason: 'mapping_not_uploaded', debugId: ID },
    ]);
  });

  test('stays as it is while its mappings are looked for, all of them at once', () => {
    const ids = Array.from({ length: 6 }, (_, index) => ID.replace('0', String(index)));
    const event = {
      ...java(frames),
      debug_meta: { images: ids.map((uuid) => ({ type: 'proguard', uuid })) },
    };
    const asked: string[] = [];
    const symbolicated = symbolicateEvent(
      event,
      sourcesOf(nobody, (id) => {
        asked.push(id);
        return 'unknown';
      }),
    );
    expect(framesOf(symbolicated)).toEqual(frames);
    expect(asked).toEqual(ids);
  });
});
