import { afterAll, describe, expect, test, vi } from 'vitest';
import { DigestSymbols } from '#ingest/digest-symbols.ts';
import { unavailable } from '#lib/errors.ts';
import type { ScriptReference, SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import { ABSENT_MS, FAILED_MS } from '#product/symbolication/byte-cache.ts';
import { MapParser } from '#product/symbolication/map-parser.ts';
import { type WaitBudget, withSymbols } from '#product/symbolication/project-symbols.ts';
import type { ScriptFilesDeps } from '#product/symbolication/script-files.ts';
import {
  LOADING_OF_PROJECT_MAX,
  LOOK_UPS_AT_ONCE,
  SymbolFiles,
} from '#product/symbolication/symbol-files.ts';
import { makeSourceMap } from './harness/make-source-map.ts';
import { storesInMemory, type UploadInMemory } from './harness/uploads-in-memory.ts';

const SCOPE = { organizationId: 1, projectId: 2 };
const REFERENCE: ScriptReference = {
  url: 'https://shop.example.com/assets/app.js',
  debugId: null,
  release: '1.0',
  dist: null,
};
const MAPPING_ID = '01234567-89ab-cdef-0123-456789abcdef';
const MIB = 1024 * 1024;

const mapOf = (content: string | null) =>
  makeSourceMap([{ name: '../src/a.ts', content }], [{ at: [0, 0], from: [0, 0, 0] }]);
const SCRIPT: UploadInMemory = {
  url: '~/assets/app.js',
  content: 'a()',
  kind: 'minified_source',
  sourceMap: 'app.js.map',
};
const MAP: UploadInMemory = { url: '~/assets/app.js.map', content: mapOf('line 1'), kind: 'source_map' };

/** Never answers. */
const noParser: ScriptFilesDeps['parser'] = {
  parse: () => new Promise(() => {}),
  parseMapping: () => new Promise(() => {}),
  parseSymbols: () => new Promise(() => {}),
};
const parser = new MapParser();
afterAll(() => parser.stop());

/** The same store, with something done before each question. */
const askedAfter = (
  artifacts: ScriptFilesDeps['artifacts'],
  before: (question: string) => void | Promise<void>,
): ScriptFilesDeps['artifacts'] =>
  new Proxy(artifacts, {
    get:
      (store, question) =>
      async (...args: unknown[]) => {
        await before(String(question));
        return await (Reflect.get(store, question) as (...all: unknown[]) => Promise<unknown>)(...args);
      },
  });

function scene(uploads: readonly UploadInMemory[], change: Partial<ScriptFilesDeps> = {}, bytesMax?: number) {
  const stores = storesInMemory(uploads);
  const clock = { nowMs: 1_000 };
  const files = new SymbolFiles({ ...stores, parser, now: () => clock.nowMs, ...change }, bytesMax);
  const ask = <Answer>(
    run: (sources: SymbolSources) => Answer,
    budget: WaitBudget = { leftMs: 10_000 },
    scope = SCOPE,
  ): Promise<Answer> => withSymbols(files, scope, budget, run);
  /** What becomes of a frame: the first line of its source, or the reason why there is none. */
  const look = (
    reference: Partial<ScriptReference> = {},
    budget?: WaitBudget,
    scope = SCOPE,
  ): Promise<unknown> =>
    ask(
      ({ findScript }) => {
        const found = findScript({ ...REFERENCE, ...reference });
        if (found === 'unknown') return found;
        if (found.kind === 'absent') return found;
        const source = found.findSource(0);
        return source && source !== 'unknown' ? source.lines(0, 1, 100)[0] : source;
      },
      budget,
      scope,
    );
  return { ...stores, clock, files, ask, look };
}

describe('a script', () => {
  test('is looked for once, and then answered from memory', async () => {
    const { look, state, files } = scene([SCRIPT, MAP]);
    expect(await look()).toBe('line 1');
    const { looks } = state;
    expect(await look()).toBe('line 1');
    expect(state.looks).toBe(looks);
    expect(files.bytes).toBeGreaterThan(0);
  });

  test('whose map went from memory is read again', async () => {
    const large = (letter: string) => mapOf(letter.repeat(3_000));
    const other: UploadInMemory = { url: '~/b.js.map', content: large('b'), kind: 'source_map' };
    const { look } = scene(
      [SCRIPT, { ...MAP, content: large('a') }, { ...SCRIPT, url: '~/b.js', sourceMap: 'b.js.map' }, other],
      {},
      4_000,
    );
    expect(await look()).toMatch(/^a+$/);
    expect(await look({ url: 'https://shop.example.com/b.js' })).toMatch(/^b+$/);
    expect(await look()).toMatch(/^a+$/);
  });

  test('may hold its map itself', async () => {
    const inline = Buffer.from(mapOf('inside')).toString('base64');
    const content = `a()\n//# sourceMappingURL=data:application/json;base64,${inline}\n`;
    expect(await scene([{ ...SCRIPT, content, sourceMap: 'data:application/json' }]).look()).toBe('inside');
  });

  test('has sources that were uploaded as files of their own', async () => {
    const source: UploadInMemory = { url: '~/src/a.ts', content: 'uploaded', kind: 'source' };
    expect(await scene([SCRIPT, { ...MAP, content: mapOf(null) }, source]).look()).toBe('uploaded');
    expect(await scene([SCRIPT, { ...MAP, content: mapOf(null) }]).look()).toBeNull();
  });

  test('has sources that occupy more, the more lines they have', async () => {
    const bytesOf = async (content: string) => {
      const source: UploadInMemory = { url: '~/src/a.ts', content, kind: 'source' };
      const { look, files } = scene([SCRIPT, { ...MAP, content: mapOf(null) }, source]);
      await look();
      return files.bytes;
    };
    expect((await bytesOf('\n'.repeat(1_000))) - (await bytesOf('x'.repeat(1_000)))).toBe(999 * 4);
  });

  test('is found by its debug id, also when nothing else fits', async () => {
    const debugId = '11111111-2222-3333-4444-555555555555';
    const uploads = [
      { ...SCRIPT, url: '~/0.js', debugId, sourceMap: null },
      { ...MAP, url: '~/0.js.map', debugId },
    ];
    expect(await scene(uploads).look({ debugId, release: null })).toBe('line 1');
  });
});

describe('what is not there', () => {
  test('is known for a while, and anew as soon as an upload tells', async () => {
    const { look, state, files, clock } = scene([]);
    const absent = { kind: 'absent', reason: 'release_has_no_files', release: '1.0' };
    expect(await look()).toEqual(absent);
    state.uploads.push(SCRIPT, MAP);
    expect(await look()).toEqual(absent);
    files.forget(99);
    expect(await look()).toEqual(absent);
    files.forget(SCOPE.organizationId);
    expect(await look()).toBe('line 1');

    state.uploads.length = 0;
    files.forget(null);
    expect(await look()).toEqual(absent);
    state.uploads.push(SCRIPT, MAP);
    clock.nowMs += ABSENT_MS;
    expect(await look()).toBe('line 1');
  });

  test('does not become unknown by uploads of others, while it is looked for', async () => {
    const stores = storesInMemory([
      SCRIPT,
      { ...MAP, content: mapOf(null) },
      { url: '~/src/a.ts', content: 'uploaded', kind: 'source' },
      { url: 'mapping.txt', content: 'com.acme.Cart -> a:\n', kind: 'other', debugId: MAPPING_ID },
    ]);
    let organizationId: number | null = 99;
    const artifacts = askedAfter(stores.artifacts, () => files.forget(organizationId));
    const { files, look, ask } = scene([], { ...stores, artifacts });
    const findMapping = () => ask((sources) => sources.findMapping(MAPPING_ID));
    expect(await look()).toBe('uploaded');
    // Whether there are uploads, the script, its map, its source.
    expect(stores.state.looks).toBe(4);
    expect(await findMapping()).toHaveProperty('findClass');
    expect(stores.state.looks).toBe(5);

    for (organizationId of [SCOPE.organizationId, null]) {
      files.forget(organizationId);
      expect(await look()).toMatchObject({ reason: 'not_loaded_in_time' });
      expect(await findMapping()).toMatchObject({ reason: 'not_loaded_in_time' });
    }
  });

  test('costs a project that uploads nothing one question', async () => {
    const { look, state } = scene([]);
    for (let index = 0; index < 50; index++) await look({ url: `https://shop.example.com/${index}.js` });
    expect(state.looks).toBe(1);
  });

  test.each([
    ['no id, no release', { release: null }, [SCRIPT, MAP], { reason: 'no_debug_id_and_no_release' }],
    [
      'an id',
      { debugId: MAPPING_ID, release: null },
      [SCRIPT],
      { reason: 'debug_id_not_uploaded', debugId: MAPPING_ID },
    ],
    [
      'another name',
      { url: 'https://x.example.com/other/app.js' },
      [SCRIPT, MAP],
      { reason: 'file_not_in_release', nearest: '~/assets/app.js' },
    ],
    [
      'another dist',
      { dist: '7' },
      [SCRIPT, MAP],
      { reason: 'other_dist', dist: '7', uploadedDists: [null] },
    ],
    ['no map', {}, [SCRIPT], { reason: 'map_missing', file: '~/assets/app.js', mapUrl: 'app.js.map' }],
    [
      'no JSON',
      {},
      [SCRIPT, { ...MAP, content: '<html>' }],
      { reason: 'map_invalid', detail: 'It is not JSON' },
    ],
    [
      'too large',
      {},
      [SCRIPT, { ...MAP, content: Buffer.alloc(65 * MIB) }],
      { reason: 'map_too_large', bytes: 65 * MIB },
    ],
  ] as const)('%s', async (_, reference, uploads, problem) => {
    expect(await scene(uploads as readonly UploadInMemory[]).look(reference)).toMatchObject({
      kind: 'absent',
      ...problem,
    });
  });
});

describe('events do not wait for ever', () => {
  test('for a map that takes long; it goes on coming for later ones', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow: ScriptFilesDeps['parser'] = {
      ...noParser,
      parse: async (read) => {
        await promise;
        return await parser.parse(read);
      },
    };
    const { look } = scene([SCRIPT, MAP], { parser: slow });
    const budget = { leftMs: 50 };
    expect(await look({}, budget)).toEqual({
      kind: 'absent',
      reason: 'not_loaded_in_time',
      url: REFERENCE.url,
    });
    expect(budget.leftMs).toBeLessThanOrEqual(0);
    resolve();
    expect(await look()).toBe('line 1');
  });

  test('for names that nobody knows: however many come, only a few are looked for', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const stores = storesInMemory([SCRIPT, MAP]);
    const counts = { waiting: 0, scripts: 0 };
    const artifacts = askedAfter(stores.artifacts, async (question) => {
      if (question === 'findByUrl') counts.scripts++;
      counts.waiting++;
      await opened;
      counts.waiting--;
    });
    const { ask, look } = scene([], { ...stores, artifacts });
    for (let event = 0; event < 40; event++) {
      const reasons = await ask(
        ({ findScript }) =>
          Array.from({ length: 8 }, (_, name) => {
            const found = findScript({ ...REFERENCE, url: `https://shop.example.com/${event}/${name}.js` });
            return found !== 'unknown' && found.kind === 'absent' ? found.reason : null;
          }),
        { leftMs: -1 },
      );
      expect(new Set(reasons)).toEqual(new Set(['not_loaded_in_time']));
      expect(counts.waiting).toBeLessThanOrEqual(LOOK_UPS_AT_ONCE);
    }
    expect(counts.waiting).toBe(LOOK_UPS_AT_ONCE);
    // Nor does the project wait for anything else while they are on their way; others do.
    expect(await look()).toMatchObject({ reason: 'not_loaded_in_time' });
    const ofOther = look({}, undefined, { ...SCOPE, projectId: 3 });

    open();
    expect(await ofOther).toBe('line 1');
    await vi.waitFor(async () => expect(await look({}, { leftMs: 0 })).toBe('line 1'));
    // The script that is there has its map looked for as well.
    expect(counts.scripts).toBe(LOADING_OF_PROJECT_MAX + 2 + 2);
  });

  test('and what is forgotten again and again is given up', async () => {
    let nowMs = 0;
    const { look } = scene([SCRIPT, MAP], {
      now: () => {
        nowMs += 1_000 * ABSENT_MS;
        return nowMs;
      },
    });
    expect(await look()).toMatchObject({ reason: 'not_loaded_in_time' });
  });

  test('but for a store that is away, with whoever runs them', async () => {
    const { look, state } = scene([SCRIPT, MAP]);
    state.fail = unavailable('away');
    await expect(look()).rejects.toMatchObject({ code: 'unavailable' });
    state.fail = null;
    expect(await look()).toBe('line 1');
  });
});

describe('a mapping of obfuscated names', () => {
  const find = (uploads: readonly UploadInMemory[]) =>
    scene(uploads).ask(({ findMapping }) => findMapping(MAPPING_ID));

  test('is found by its id', async () => {
    const content = 'com.acme.Cart -> a:\n';
    const mapping = await find([{ url: 'mapping.txt', content, kind: 'other', debugId: MAPPING_ID }]);
    expect(mapping !== 'unknown' && 'findClass' in mapping && mapping.findClass('a')?.name).toBe(
      'com.acme.Cart',
    );
  });

  test('that is missing or no mapping is told', async () => {
    expect(await find([])).toEqual({ reason: 'mapping_not_uploaded', debugId: MAPPING_ID });
    const broken = { url: 'mapping.txt', content: 'hello', kind: 'other', debugId: MAPPING_ID } as const;
    expect(await find([broken])).toMatchObject({ reason: 'mapping_invalid', debugId: MAPPING_ID });
  });

  test('whose bytes were gone is found as soon as they are there again', async () => {
    const mapping = {
      url: 'mapping.txt',
      content: 'com.A -> a:\n',
      kind: 'other',
      debugId: MAPPING_ID,
    } as const;
    const stores = storesInMemory([mapping]);
    let isGone = true;
    const artifactFiles: ScriptFilesDeps['artifactFiles'] = {
      open: async (...args) => (isGone ? null : await stores.artifactFiles.open(...args)),
    };
    const { ask, files, clock } = scene([], { ...stores, artifactFiles });
    const look = () => ask(({ findMapping }) => findMapping(MAPPING_ID));
    const gone = { reason: 'mapping_invalid', detail: 'Its content is no longer stored: upload it again' };
    expect(await look()).toMatchObject(gone);
    isGone = false;
    expect(await look()).toMatchObject(gone);
    files.forget(SCOPE.organizationId);
    expect(await look()).toHaveProperty('findClass');

    isGone = true;
    const second = scene([], { ...stores, artifactFiles, now: () => clock.nowMs });
    const lookAgain = () => second.ask(({ findMapping }) => findMapping(MAPPING_ID));
    expect(await lookAgain()).toMatchObject(gone);
    isGone = false;
    clock.nowMs += ABSENT_MS;
    expect(await lookAgain()).toHaveProperty('findClass');
  });
});

describe('a file whose reading failed', () => {
  const failed = { kind: 'failed', detail: 'It took too long' } as const;
  const refused = { kind: 'invalid', detail: 'It is broken' } as const;
  const mapping: UploadInMemory = {
    url: 'mapping.txt',
    content: 'com.A -> a:\n',
    kind: 'other',
    debugId: MAPPING_ID,
  };

  test.each([
    [failed, FAILED_MS, 'line 1'],
    [refused, 1_000 * FAILED_MS, { reason: 'map_invalid', detail: refused.detail }],
  ])('is read again after a while, not one that was refused: %j', async (answer, afterMs, later) => {
    let answers = [answer];
    const now: ScriptFilesDeps['parser'] = {
      parse: async (read) => answers.pop() ?? (await parser.parse(read)),
      parseSymbols: parser.parseSymbols.bind(parser),
      parseMapping: async (read) => answers.pop() ?? (await parser.parseMapping(read)),
    };
    const { look, ask, clock } = scene([SCRIPT, MAP, mapping], { parser: now });
    const findMapping = () => ask((sources) => sources.findMapping(MAPPING_ID));
    const problem = { reason: 'map_invalid', detail: answer.detail };
    expect(await look()).toMatchObject(problem);
    answers = [answer];
    expect(await findMapping()).toMatchObject({ ...problem, reason: 'mapping_invalid' });
    clock.nowMs += FAILED_MS - 1;
    expect(await look()).toMatchObject(problem);
    expect(await findMapping()).toMatchObject({ ...problem, reason: 'mapping_invalid' });
    clock.nowMs += afterMs;
    if (answer === failed) {
      expect(await look()).toBe(later);
      expect(await findMapping()).toHaveProperty('findClass');
    } else {
      expect(await look()).toMatchObject(later as object);
      expect(await findMapping()).toMatchObject({ reason: 'mapping_invalid', detail: answer.detail });
    }
  });
});

describe('a public map', () => {
  const fetched = { kind: 'fetched', file: REFERENCE.url, baseUrl: REFERENCE.url } as const;

  test('is fetched where nothing was uploaded', async () => {
    const map = Buffer.from(mapOf('public'));
    const { look } = scene([], {
      fetchPublicMap: (_address, keep) => keep({ ...fetched, map, script: null }),
    });
    expect(await look()).toBe('public');
  });

  test('is not asked for where something was, and its refusal is the reason', async () => {
    const refused = { kind: 'absent', reason: 'fetch_refused', url: REFERENCE.url, detail: 'no' } as const;
    const fetchPublicMap = async () => refused;
    expect(await scene([SCRIPT, MAP], { fetchPublicMap }).look()).toBe('line 1');
    expect(await scene([], { fetchPublicMap }).look()).toEqual(refused);
    expect(await scene([], { fetchPublicMap: async () => null }).look()).toMatchObject({
      reason: 'release_has_no_files',
    });
  });
});

test('digest waits for a part of its time at most', async () => {
  const { files } = scene([SCRIPT, MAP], { parser: noParser });
  const clock = { ms: 0 };
  const symbols = new DigestSymbols(files, () => clock.ms);
  const waits = async (url: string, scope: ProjectScope): Promise<number> => {
    const from = performance.now();
    const found = await symbols.run(scope, ({ findScript }) => findScript({ ...REFERENCE, url }));
    expect(found).toMatchObject({ reason: 'not_loaded_in_time' });
    return performance.now() - from;
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const run = async (url: string, scope: ProjectScope = SCOPE) => {
      const waiting = waits(url, scope);
      await vi.advanceTimersByTimeAsync(30_000);
      return Math.round((await waiting) / 1_000);
    };
    const urlOf = (name: number) => `https://shop.example.com/assets/app.js?${name}`;
    expect([await run(urlOf(1)), await run(urlOf(2)), await run(urlOf(3))]).toEqual([8, 4, 0]);
    // Others have less left, but some.
    expect(await run(urlOf(4), { ...SCOPE, projectId: 3 })).toBe(4);
    expect(await run(urlOf(5), { ...SCOPE, projectId: 3 })).toBe(0);
    const stranger = { organizationId: 4, projectId: 5 };
    expect([await run(urlOf(6), stranger), await run(urlOf(7), stranger)]).toEqual([4, 0]);
    clock.ms += 10_000;
    expect(await run(urlOf(8))).toBe(2);
    expect(await run(urlOf(9), stranger)).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

describe('symbols of native code', () => {
  const ID = '5b2c350e-a259-c51e-9f95-40d4ce0e261c';
  const head = `MODULE Linux x86_64 ${ID.replaceAll('-', '').toUpperCase()}0 shop\n`;
  const symbols: UploadInMemory = {
    url: 'shop.sym',
    content: `${head}FUNC 1000 10 0 pay\n`,
    kind: 'other',
    debugId: ID,
  };

  test('are read once, by the id of the build', async () => {
    const { ask, files } = scene([symbols]);
    const find = () => ask(({ findSymbols }) => findSymbols(ID));
    const found = await find();
    expect(found).toMatchObject({ head: { debugId: ID, name: 'shop' } });
    expect(files.bytes).toBeGreaterThan(0);
    expect(await find()).toBe(found);
    expect(await ask(({ findSymbols }) => findSymbols(MAPPING_ID))).toBeNull();
  });

  test('are asked for once where nothing was uploaded, until something comes', async () => {
    const asked: string[] = [];
    const uploads: UploadInMemory[] = [];
    const stores = storesInMemory(uploads);
    const artifacts = askedAfter(stores.artifacts, (question) => void asked.push(question));
    const { ask, files } = scene(uploads, { artifacts, artifactFiles: stores.artifactFiles });
    const all = () =>
      ask(({ findSymbols }) =>
        Array.from({ length: 50 }, (_, at) => findSymbols(ID.replace('5b', `${at + 10}`))),
      );
    expect(await all()).toEqual(Array.from({ length: 50 }, () => null));
    const before = asked.length;
    expect(await all()).toEqual(Array.from({ length: 50 }, () => null));
    expect(asked).toHaveLength(before);
    stores.state.uploads.push(symbols);
    files.forget(null);
    expect(await ask(({ findSymbols }) => findSymbols(ID))).toHaveProperty('head');
  });

  test('say what is wrong with them', async () => {
    const { ask } = scene([{ ...symbols, content: '\u007fELF' }]);
    expect(await ask(({ findSymbols }) => findSymbols(ID))).toMatchObject({
      reason: 'debug_file_invalid',
      detail: expect.stringContaining('MODULE'),
    });
    const slow = scene([symbols], { parser: noParser });
    expect(await slow.ask(({ findSymbols }) => findSymbols(ID), { leftMs: 5 })).toEqual({
      reason: 'not_loaded_in_time',
      url: ID,
    });
  });
});
