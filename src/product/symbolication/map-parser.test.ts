import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { openMapping } from '#pipeline/symbolicate/java/parse-mapping.ts';
import { textAt } from '#pipeline/symbolicate/source-map/packed-map.ts';
import { testInFull } from '../../../test/harness/is-full.ts';
import { type MapBytes, MapParser, type MapParserOptions } from './map-parser.ts';

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}';
const bytesOf = (map: string, script: string | null = null): MapBytes => ({
  map: Buffer.from(map),
  script: script === null ? null : Buffer.from(script),
});
/** Of what never ends; a busy machine takes a second to start a thread. */
const LOOP_MS_MAX = 4_000;
const open: MapParser[] = [];
afterEach(() => Promise.all(open.splice(0).map((parser) => parser.stop())));

function openParser(options: MapParserOptions = {}): (text: string) => ReturnType<MapParser['parse']> {
  const parser = new MapParser(options);
  open.push(parser);
  return (text) => parser.parse(async () => bytesOf(text));
}

const threadThat = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${code}`)}`,
  );

describe('a thread that reads maps', () => {
  test('reads one after the other', async () => {
    const parse = openParser();
    const answers = await Promise.all([parse(MAP), parse('no map'), parse(MAP)]);
    expect(answers).toMatchObject([
      { kind: 'parsed', parsed: { sources: ['a.ts'] } },
      { kind: 'invalid', detail: 'It is not JSON' },
      { kind: 'parsed' },
    ]);
  });

  test('reads mappings too', async () => {
    const parser = new MapParser();
    open.push(parser);
    const parse = (text: string) => parser.parseMapping(async () => Buffer.from(text));
    const [mapping, none, map] = await Promise.all([
      parse('com.acme.Cart -> a:\n'),
      parse('hello'),
      parser.parse(async () => bytesOf(MAP)),
    ]);
    expect(mapping?.kind === 'parsed' && openMapping(mapping.parsed).findClass('a')?.name).toBe(
      'com.acme.Cart',
    );
    expect([none, map]).toMatchObject([
      { kind: 'invalid', detail: 'It contains no classes' },
      { kind: 'parsed' },
    ]);
  });

  test('names the functions of the script', async () => {
    const parser = new MapParser();
    open.push(parser);
    const map = '{"version":3,"sources":["a.ts"],"names":["pay"],"mappings":"AAAA,SAASA"}';
    const answer = await parser.parse(async () => bytesOf(map, 'function a(){}'));
    if (answer?.kind !== 'parsed') throw new Error('The map was not parsed');
    expect(textAt(answer.parsed.scriptNames, 0)).toBe('pay');
  });

  test.each([
    ['fails', "throw new Error('oh')"],
    ['takes too long', 'for (;;);'],
  ])('reads the map alone when its script %s', async (_, code) => {
    const parser = new MapParser({
      worker: threadThat(`parentPort.on('message', ({ script }) => {
        if (script) ${code};
        parentPort.postMessage({ kind: 'parsed', parsed: 'the map' });
      });`),
      parseMsMax: LOOP_MS_MAX,
    });
    open.push(parser);
    expect(await parser.parse(async () => bytesOf(MAP, 'a()'))).toEqual({
      kind: 'parsed',
      parsed: 'the map',
    });
  });

  testInFull('that takes too long is ended, and the next map has another one', async () => {
    const parse = openParser({
      worker: threadThat(`parentPort.on('message', ({ bytes }) => {
        if (bytes.length > 5) for (;;);
        parentPort.postMessage({ kind: 'invalid', detail: 'short' });
      });`),
      parseMsMax: LOOP_MS_MAX,
    });
    expect(await parse('longer')).toMatchObject({
      kind: 'failed',
      detail: expect.stringMatching(/^Parsing took/),
    });
    expect(await parse('short')).toMatchObject({ detail: 'short' });
  });

  test('that needs too much memory is ended', async () => {
    const parse = openParser({
      worker: threadThat(
        `parentPort.on('message', () => { const all = []; for (;;) all.push(new Array(1e6).fill(1.5)); });`,
      ),
    });
    expect(await parse('x')).toEqual({ kind: 'too-large' });
  });

  test('that fails says so', async () => {
    const parse = openParser({
      worker: threadThat(`parentPort.on('message', () => { throw new Error('oh'); });`),
    });
    expect(await parse('x')).toEqual({ kind: 'failed', detail: 'It could not be parsed (oh)' });
  });

  test('that ends says so, and the next map has another one', async () => {
    const parse = openParser({
      worker: threadThat(`parentPort.on('message', ({ bytes }) => {
        if (bytes.length > 5) process.exit(1);
        parentPort.postMessage({ kind: 'invalid', detail: 'short' });
      });`),
    });
    expect(await parse('longer')).toEqual({ kind: 'failed', detail: 'The parser thread exited' });
    expect(await parse('short')).toMatchObject({ detail: 'short' });
  });

  test('that ended while there was nothing to do is another one when there is', async () => {
    const ENDED_AFTER_MS = 500;
    const parse = openParser({
      parseMsMax: 60_000,
      worker: threadThat(`parentPort.once('message', () => {
        parentPort.postMessage({ kind: 'invalid', detail: 'first' });
        setImmediate(() => process.exit(1));
      });`),
    });
    expect(await parse('x')).toMatchObject({ detail: 'first' });
    await delay(ENDED_AFTER_MS);
    expect(await parse('x')).toMatchObject({ kind: expect.stringMatching(/^(?:invalid|failed)$/) });
  });

  test('that cannot be started says so', async () => {
    const parse = openParser({ worker: new URL('https://example.com/worker.js') });
    expect(await parse('x')).toMatchObject({
      kind: 'failed',
      detail: expect.stringMatching(/^It could not be parsed/),
    });
  });
});

test('what cannot be read is told, and holds up nobody', async () => {
  const parser = new MapParser();
  open.push(parser);
  await expect(parser.parse(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await parser.parse(async () => null)).toBeNull();
  expect(await parser.parse(async () => bytesOf(MAP))).toMatchObject({ kind: 'parsed' });
});
