import { describe, expect, test } from 'vitest';
import { digestEvent } from '../digest-event.ts';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { amd64Context, buildMinidump, type DumpPlan } from '../fixtures/minidump-fixture.ts';
import { applyCrash } from './apply-crash.ts';
import { bytesAsSource, type CrashFacts } from './crash-facts.ts';
import { readMinidump } from './read-minidump.ts';

const PLAN: DumpPlan = {
  timestamp: 1_790_000_000,
  version: [10, 0, 19045],
  exception: { threadId: 7, code: 0xc0000005, parameters: [0n, 0x45n], context: amd64Context(0x1010n) },
  threads: [{ id: 5, context: amd64Context(0x1020n) }, { id: 7 }],
  modules: [{ base: 0x1000n, size: 0x1000, name: 'C:\\Games\\Shop.exe', linkedAt: 1 }],
};
const facts = (plan: Partial<DumpPlan> = {}) =>
  readMinidump(bytesAsSource(buildMinidump({ ...PLAN, ...plan })));
async function digest(crash: CrashFacts, payload: unknown = {}) {
  const result = digestEvent(
    rawItem('event', payload, { crash }),
    itemContext({ envelopeEventId: 'c4ca4238a0b923820dcc509a6f75849b' }),
  );
  if (result.kind !== 'event') throw new Error(JSON.stringify(result));
  return result.event;
}

describe('an event with a crash dump', () => {
  test('is the crash', async () => {
    const event = await digest(await facts());
    expect(event).toMatchObject({
      type: 'error',
      level: 'fatal',
      platform: 'native',
      title: 'EXCEPTION_ACCESS_VIOLATION_READ / 0x45',
      culprit: 'Shop.exe',
      occurredAt: 1_790_000_000_000,
    });
    expect(event.payload.threads?.values.map(({ id, crashed }) => [id, crashed])).toEqual([
      [5, false],
      [7, true],
    ]);
    expect(event.payload.debug_meta?.images).toHaveLength(1);
    expect(event.payload.contexts?.os).toMatchObject({ name: 'Windows', version: '10.0.19045' });
    expect(event.payload.exception?.values[0]?.mechanism).toMatchObject({
      type: 'minidump',
      handled: false,
      synthetic: true,
    });
  });

  test('what the SDK sent stays, besides exceptions and threads', async () => {
    const event = await digest(await facts(), {
      level: 'error',
      platform: 'csharp',
      release: 'shop@1.0.0',
      timestamp: 1_790_000_005,
      tags: { plan: 'pro' },
      contexts: { os: { name: 'Windows 11' }, game: { level: 3 } },
      user: { id: '42' },
      exception: { values: [{ type: 'Earlier' }] },
      breadcrumbs: [{ message: 'clicked' }],
    });
    expect(event).toMatchObject({
      level: 'error',
      platform: 'csharp',
      release: 'shop@1.0.0',
      user: { id: '42' },
    });
    expect(event.occurredAt).toBe(1_790_000_005_000);
    expect(event.payload.contexts).toMatchObject({
      os: { name: 'Windows 11', version: '10.0.19045' },
      game: { level: 3 },
    });
    expect(event.payload.exception?.values.map(({ type }) => type)).toEqual([
      'EXCEPTION_ACCESS_VIOLATION_READ / 0x45',
    ]);
    expect(event.payload.breadcrumbs?.values).toHaveLength(1);
    expect(event.tags).toContainEqual(['plan', 'pro']);
  });

  test('groups by why and where it died, whatever the address was', async () => {
    const hash = async (plan: Partial<DumpPlan>) => (await digest(await facts(plan))).groupingHash;
    const exception = { threadId: 7, code: 0xc0000005, context: amd64Context(0x1abcn) };
    const first = await hash({ exception: { ...exception, parameters: [0n, 0x77n] } });
    expect(await hash({ exception: { ...exception, parameters: [0n, 0x99n] } })).toBe(first);
    const elsewhere = { ...exception, context: amd64Context(0x1abdn), parameters: [0n, 0x77n] };
    expect(await hash({ exception: elsewhere })).not.toBe(first);
    expect(await hash({ exception: { ...exception, parameters: [1n, 0x45n] } })).not.toBe(first);
    const modules = [{ base: 0x1000n, size: 0x1000, name: 'C:\\Games\\Other.dll' }];
    expect(await hash({ exception: { ...exception, parameters: [0n, 0x77n] }, modules })).not.toBe(first);
  });

  test('says why when the dump cannot be read', async () => {
    const event = await digest(await readMinidump(bytesAsSource(Buffer.from('no dump'))));
    expect(event).toMatchObject({ title: 'Minidump: Invalid Minidump', level: 'fatal', platform: 'native' });
    expect(event.payload.errors).toContainEqual({
      type: 'invalid_minidump',
      name: 'minidump',
      reason: expect.stringContaining('too short'),
    });
  });

  test('text of a dump that no store takes is made storable', async () => {
    const event = await digest(
      await facts({ modules: [{ base: 0x1000n, size: 0x1000, name: 'C:\\a\ud800b.exe' }] }),
    );
    expect(JSON.stringify(event.payload)).toBe(JSON.stringify(event.payload).toWellFormed());
  });
});

test('tags of the SDK win over those of the report', () => {
  const merged = applyCrash(
    { tags: { a: 'sdk' } },
    {
      kind: 'crash',
      exception: { type: 'x' },
      threads: [],
      images: [],
      contexts: {},
      event: { tags: [['a', 'report']], user: { id: 'r', username: 'u' } },
      files: [],
      timestamp: null,
    },
  );
  expect((merged.tags as [string, string][]).at(-1)).toEqual(['a', 'sdk']);
  expect(merged.user).toEqual({ id: 'r', username: 'u' });
});
