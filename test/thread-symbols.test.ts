import { expect, test } from 'vitest';
import { answerSymbols } from '#ingest/understanding/answer-symbols.ts';
import type { SymbolWish } from '#ingest/understanding/thread-messages.ts';
import { ThreadSymbols } from '#ingest/understanding/thread-symbols.ts';
import { packMapping } from '#pipeline/symbolicate/java/packed-mapping.ts';
import { openMapping } from '#pipeline/symbolicate/java/parse-mapping.ts';
import { SourceText } from '#pipeline/symbolicate/javascript/source-text.ts';
import { findSymbol } from '#pipeline/symbolicate/native/find-symbol.ts';
import { parseBreakpad } from '#pipeline/symbolicate/native/parse-breakpad.ts';
import type { FoundScript, SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import { symbolicateEvent } from '#pipeline/symbolicate/symbolicate-event.ts';
import { eventOf, minified, script, sourcesOf } from './harness/minified-event.ts';

const SCOPE = { organizationId: 1, projectId: 2 };
const PAY = new SourceText(Buffer.from(Array.from({ length: 9 }, (_, line) => `pay ${line}`).join('\n')));
const FRAMES = [12, 22, 32, 42].map((column) => minified(column));

/** A source that the map names and does not hold lies beside it. */
function withPay(found = script()): FoundScript {
  const { findSource } = found;
  return { ...found, findSource: (index) => findSource(index) ?? (index === 2 ? PAY : null) };
}

/** A thread, what it asked, and the files that are held elsewhere: messages are copied as between threads. */
function openThread(files: SymbolSources) {
  const asked: SymbolWish[][] = [];
  const thread = new ThreadSymbols(async (scope, wishes) => {
    asked.push(structuredClone([...wishes]));
    return structuredClone(await answerSymbols({ run: async (_, look) => look(files) }, scope, wishes));
  });
  return { thread, asked };
}

test('a thread that has no files symbolicates as the one that holds them', async () => {
  const files = sourcesOf(() => withPay());
  const { thread, asked } = openThread(files);
  const run = () => thread.run(SCOPE, (sources) => symbolicateEvent(eventOf(FRAMES), sources));
  expect(await run()).toEqual(symbolicateEvent(eventOf(FRAMES), files));
  expect(asked.flat().map(({ kind }) => kind)).toEqual(['script', 'source']);
  await run();
  expect(asked).toHaveLength(2);
});

test('what was told is asked for again after an upload, and after a while', async () => {
  const { thread, asked } = openThread(sourcesOf(() => withPay()));
  const run = () => thread.run(SCOPE, (sources) => symbolicateEvent(eventOf(FRAMES), sources));
  await run();
  thread.forget();
  await run();
  expect(asked).toHaveLength(4);
  thread.forgetOld(performance.now() + 60_000);
  await run();
  expect(asked).toHaveLength(6);
});

test('the next record may wait again for a file that one waited for in vain', async () => {
  const late = { kind: 'absent', reason: 'not_loaded_in_time', url: 'app.js' } as const;
  const { thread, asked } = openThread(sourcesOf(() => late));
  const run = () => thread.run(SCOPE, (sources) => symbolicateEvent(eventOf(FRAMES.slice(0, 1)), sources));
  await run();
  await run();
  expect(asked).toHaveLength(2);
});

test('mappings are read where they lie', async () => {
  const packed = packMapping(Buffer.from('com.shop.Cart -> a:\n    1:1:void pay():7:7 -> b\n') as never);
  const files = sourcesOf(
    () => 'unknown',
    () => openMapping(packed!),
  );
  const { thread } = openThread(files);
  const name = await thread.run(SCOPE, ({ findMapping }) => {
    const mapping = findMapping('one');
    return mapping === 'unknown' || 'reason' in mapping ? null : mapping.findClass('a')?.name;
  });
  expect(name).toBe('com.shop.Cart');
});

test('symbols of native code are looked up where they lie, in memory that threads share', async () => {
  const packed = parseBreakpad(
    Buffer.from(`MODULE Linux x86_64 ${'A'.repeat(32)}0 shop\nFUNC 1000 10 0 pay\n`),
  );
  const files = {
    ...sourcesOf(() => withPay()),
    findSymbols: (id: string) => (id === 'one' ? packed : null),
  };
  const { thread, asked } = openThread(files);
  const name = (id: string) =>
    thread.run(SCOPE, ({ findSymbols }) => {
      const found = findSymbols(id);
      return found === null || found === 'unknown' || 'reason' in found
        ? found
        : findSymbol(found, 0x1001)?.calls[0]?.function;
    });
  expect(await name('one')).toBe('pay');
  expect(await name('two')).toBeNull();
  expect(asked.flat().map(({ kind }) => kind)).toEqual(['symbols', 'symbols']);
});
