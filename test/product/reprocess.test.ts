import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#lib/time.ts';
import { assembleDeobfuscation } from '#product/artifacts/assemble-deobfuscation.ts';
import { listReprocesses, startReprocess } from '#product/symbolication/reprocesses.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { dyingAt } from './dying-at.ts';
import { openProduct, type Product } from './open-product.ts';
import { openReprocessScene } from './reprocess-scene.ts';
import { sha1, storePart } from './upload-scene.ts';

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(() => product?.close());

describe('symbols of native code applied to stored events', () => {
  test('frames get the names and lines of those that wrote them, and crashes of one place become one issue', async () => {
    const scene = await openReprocessScene(product);
    const id = '5b2c350e-a259-c51e-9f95-40d4ce0e261c';
    const crash = (at: number, address: number): NormalizedEvent => ({
      event_id: newEventId(),
      type: 'error',
      level: 'fatal',
      platform: 'native',
      timestamp: (NOON_MS + at * MINUTE_MS) / 1_000,
      received: Date.now() / 1_000,
      debug_meta: {
        images: [
          { type: 'elf', code_file: '/opt/shop', debug_id: id, image_addr: '0x400000', image_size: 65_536 },
        ],
      },
      exception: {
        values: [
          {
            type: 'SIGSEGV',
            value: 'Segfault',
            stacktrace: {
              frames: [0x401110, address].map((frame) => ({
                instruction_addr: `0x${frame.toString(16)}`,
                package: '/opt/shop',
                in_app: true,
              })),
            },
          },
        ],
      },
    });
    const events = await scene.sendEvents([crash(1, 0x401010), crash(2, 0x401018)]);
    const issue = (await scene.listIssues())[0]!;
    const innermost = async () =>
      (await scene.readEvent(events[0]!.eventId)).payload.exception?.values[0]?.stacktrace?.frames.at(-1);
    expect((await innermost())?.data?.source_problem).toEqual({
      reason: 'debug_file_not_uploaded',
      debugId: id,
      file: 'shop',
    });

    const symbols = [
      `MODULE Linux x86_64 ${id.replaceAll('-', '').toUpperCase()}0 shop`,
      'FILE 0 /src/shop.c',
      'FUNC 1000 80 0 pay',
      '1000 80 42 0',
      'FUNC 1100 40 0 checkout',
      '1100 40 7 0',
      '',
    ].join('\n');
    await storePart(scene.admin, symbols);
    const [answer] = (
      await assembleDeobfuscation(scene.admin, {
        projectSlug: scene.project.slug,
        files: [{ checksum: sha1(symbols), name: 'shop.sym', debugId: null, chunks: [sha1(symbols)] }],
      })
    ).values();
    expect(answer?.state).toBe('ok');
    await scene.start({ kind: 'issue', issueId: issue.id });
    expect(await scene.work()).toBe(true);

    expect(await innermost()).toMatchObject({
      function: 'pay',
      filename: 'shop.c',
      lineno: 42,
      data: { symbolicated: true },
    });
    const shown = await scene.readEvent(events[0]!.eventId);
    expect(shown.payload.exception?.values[0]?.raw_stacktrace?.frames.at(-1)).toMatchObject({
      instruction_addr: '0x401010',
    });
    expect(shown.culprit).toContain('pay');
    expect((await scene.listIssues()).map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[2, 2]]);
    await scene.close();
  });
});

describe('uploads applied to stored events of a release', () => {
  test('frames show their source, and two issues that were the same error become one', async () => {
    const scene = await openReprocessScene(product);
    // The same place in the source, under another name in each build.
    const events = await scene.send([
      { columns: [200, 100], names: ['a', 'b'], at: 1 },
      { columns: [200, 100], names: ['a', 'b'], at: 2 },
      { columns: [200, 100], names: ['c', 'd'], at: 3 },
      { columns: [100, 300], names: ['e', 'f'], at: 4 },
    ]);
    const before = await scene.listIssues();
    expect(before.map(({ timesSeen }) => timesSeen)).toEqual([2, 1, 1]);
    expect(
      (await scene.readEvent(events[0]!.eventId)).payload.exception?.values[0]?.stacktrace?.frames[1]?.data,
    ).toMatchObject({ source_problem: { reason: 'release_has_no_files', release: '1.0' } });

    await scene.upload('1.0');
    const run = await scene.start({ kind: 'release', version: '1.0' });
    expect(run).toMatchObject({ state: 'waiting', projectSlug: scene.project.slug });
    expect(await scene.work()).toBe(true);

    const shown = await scene.readEvent(events[0]!.eventId);
    const [exception] = shown.payload.exception?.values ?? [];
    expect(exception?.stacktrace?.frames[1]).toMatchObject({
      function: 'applyCoupon',
      filename: '../src/cart.ts',
      abs_path: 'https://shop.example.com/src/cart.ts',
      lineno: 8,
      colno: 5,
      context_line: 'cart line 8',
      pre_context: ['cart line 3', 'cart line 4', 'cart line 5', 'cart line 6', 'cart line 7'],
    });
    expect(exception?.raw_stacktrace?.frames[1]).toMatchObject({ function: 'b', lineno: 1, colno: 101 });
    expect(shown.culprit).toContain('applyCoupon');

    const after = await scene.listIssues();
    expect(after.map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([
      [3, 3],
      [1, 1],
    ]);
    expect(after[0]?.id).toBe(before[0]?.id);
    expect(after[0]?.culprit).toContain('applyCoupon');
    expect(
      await product.stores.regroups.findRedirect(scene.organization.id, { issueId: before[1]!.id }),
    ).toBe(before[0]!.id);
    const [done] = await listReprocesses(scene.admin, {
      projectSlug: scene.project.slug,
      scope: { kind: 'release', version: '1.0' },
      limit: 10,
    });
    expect(done).toMatchObject({
      state: 'done',
      eventsSeen: 4,
      eventsTotal: 4,
      eventsChanged: 4,
      issuesBefore: 3,
      issuesAfter: 2,
      lastError: null,
    });
    expect(await product.stores.reprocessEvents.listStagedRuns()).toEqual([]);
    await scene.close();
  });

  testInFull(
    'new events of the release and stored ones are of one issue, and a second run changes nothing',
    async () => {
      const scene = await openReprocessScene(product);
      await scene.send([{ columns: [100], at: 1 }]);
      await scene.upload('1.0');
      await scene.start({ kind: 'release', version: '1.0' });
      await scene.work();
      await scene.send([{ columns: [100], at: 5 }]);
      const issues = await scene.listIssues();
      expect(issues.map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[2, 2]]);

      await scene.start({ kind: 'release', version: '1.0' });
      await scene.work();
      expect(await scene.listIssues()).toEqual(issues);
      const [again] = await listReprocesses(scene.admin, {
        projectSlug: scene.project.slug,
        scope: { kind: 'release', version: '1.0' },
        limit: 1,
      });
      expect(again).toMatchObject({ state: 'done', eventsSeen: 2, eventsChanged: 0 });
      await scene.close();
    },
  );

  testInFull('events of other releases stay as they are, in the issue that they share', async () => {
    const scene = await openReprocessScene(product);
    const [other] = await scene.send([
      { columns: [100], release: '0.9', at: 1 },
      { columns: [100], release: '1.0', at: 2 },
    ]);
    await scene.upload('1.0');
    await scene.start({ kind: 'release', version: '1.0' });
    await scene.work();
    const issues = await scene.listIssues();
    expect(issues.map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[2, 2]]);
    const payload = (await scene.readEvent(other!.eventId)).payload;
    expect(payload.exception?.values[0]?.raw_stacktrace).toBeUndefined();
    await scene.close();
  });

  testInFull('a corrected upload takes the place of a wrong one', async () => {
    const scene = await openReprocessScene(product);
    await scene.upload('1.0', [{ at: [0, 0], from: [1, 1, 0] }]);
    const [event] = await scene.send([{ columns: [100] }]);
    const placeOf = async () =>
      (await scene.readEvent(event!.eventId)).payload.exception?.values[0]?.stacktrace?.frames[0];
    expect(await placeOf()).toMatchObject({ filename: '../src/pay.ts', lineno: 2 });
    await scene.upload('1.0');
    await scene.start({ kind: 'release', version: '1.0' });
    await scene.work();
    expect(await placeOf()).toMatchObject({ filename: '../src/cart.ts', lineno: 8 });
    await scene.close();
  });

  test('source that events show stays when nobody has it any more', async () => {
    const scene = await openReprocessScene(product);
    const uploads = await scene.upload('1.0');
    const [event] = await scene.send([{ columns: [100] }]);
    const before = await scene.listIssues();
    await scene.deleteUploads(uploads);
    await scene.uploadFile(
      { name: 'other.js', content: 'b()', kind: 'minified_source' },
      { version: '1.0', dist: null },
    );
    await scene.start({ kind: 'release', version: '1.0' });
    expect(await scene.work()).toBe(true);
    const shown = (await scene.readEvent(event!.eventId)).payload.exception?.values[0];
    expect(shown?.stacktrace?.frames[0]).toMatchObject({ filename: '../src/cart.ts', lineno: 8 });
    expect(shown?.raw_stacktrace?.frames[0]).toMatchObject({ colno: 101 });
    expect(await scene.listIssues()).toEqual(before);
    await scene.close();
  });

  testInFull('an issue that keeps some of its events was seen when those were', async () => {
    const scene = await openReprocessScene(product);
    await scene.send([
      { columns: [100], release: '0.9', at: 1 },
      { columns: [100], release: '0.9', at: 5 },
      { columns: [100], release: '1.0', at: 0 },
      { columns: [100], release: '1.0', at: 60 },
    ]);
    await scene.upload('1.0');
    // New events were understood with the upload already: their issue is there.
    await scene.send([{ columns: [100], release: '1.0', at: 90 }]);
    await scene.start({ kind: 'release', version: '1.0' });
    await scene.work();
    const issues = await scene.listIssues();
    expect(issues.map(({ timesSeen, stored, seen }) => [timesSeen, stored, seen])).toEqual([
      [2, 2, [1, 5]],
      [3, 3, [0, 90]],
    ]);
    await scene.close();
  });

  testInFull(
    'what digest had understood before the upload, and stores only now, is read as well',
    async () => {
      const scene = await openReprocessScene(product);
      const [stored] = await scene.send([{ columns: [100], at: 1 }]);
      const lateEvents = await scene.understand([{ columns: [100], at: 2 }]);
      await scene.upload('1.0');
      await scene.start({ kind: 'release', version: '1.0' });
      await scene.work({
        waitForDigest: async () => {
          await scene.store(lateEvents);
          await scene.count(lateEvents);
        },
      });
      for (const event of [stored, ...lateEvents]) {
        const [exception] = (await scene.readEvent(event!.eventId)).payload.exception?.values ?? [];
        expect(exception?.stacktrace?.frames[0]).toMatchObject({ lineno: 8 });
      }
      expect((await scene.listIssues()).map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([
        [2, 2],
      ]);
      await scene.close();
    },
  );
});

const ALL = [
  'reprocess-noted',
  'reprocess-checkpointed',
  'reprocess-scanned',
  'reprocess-day-replaced',
  'reprocess-applied',
  'reprocess-day-moved',
  'reprocess-moved',
  'reprocess-finished',
] as const;
/** The one after which different stores are ahead of each other; the full run has them all. */
const POINTS = IS_FULL ? ALL : (['reprocess-applied'] as const);

test.each(POINTS)(
  'a run that is interrupted at %s goes on, and every event counts once',
  async (point) => {
    const scene = await openReprocessScene(product);
    await scene.send([
      { columns: [200, 100], names: ['a', 'b'], at: 1 },
      { columns: [200, 100], names: ['c', 'd'], at: 2 },
      { columns: [100, 300], at: 3 },
    ]);
    await scene.upload('1.0');
    await scene.start({ kind: 'release', version: '1.0' });
    await expect(scene.work({ faults: dyingAt(point) })).rejects.toThrow('died');
    await scene.work();
    const issues = await scene.listIssues();
    expect(issues.map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([
      [2, 2],
      [1, 1],
    ]);
    const [run] = await listReprocesses(scene.admin, {
      projectSlug: scene.project.slug,
      scope: { kind: 'release', version: '1.0' },
      limit: 1,
    });
    expect(run).toMatchObject({ state: 'done', eventsChanged: 3 });
    await scene.close();
  },
  180_000,
);

test('a run that the disk budget has no room for is refused, with what to do', async () => {
  const scene = await openReprocessScene(product);
  await scene.send([{ columns: [100] }]);
  const usage = await product.stores.disk.measure();
  const startWith = (usedBytes: number) =>
    startReprocess(
      {
        ...scene.admin,
        stores: {
          ...product.stores,
          disk: { measure: async () => ({ ...usage, budgetBytes: 1e9, usedBytes }) },
        },
      },
      { projectSlug: scene.project.slug, scope: { kind: 'release', version: '1.0' } },
    );
  await expect(startWith(900_000_000)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('ERRATA_DISK_BYTES_MAX'),
  });
  expect(await startWith(800_000_000)).toMatchObject({ state: 'waiting' });
  await scene.work();
  await scene.close();
});

testInFull('a run over an issue reads the events of that issue only', async () => {
  const scene = await openReprocessScene(product);
  const [first, second] = await scene.send([
    { columns: [100], names: ['a'], at: 1 },
    { columns: [300], names: ['b'], at: 2 },
  ]);
  const issues = await scene.listIssues();
  await scene.upload('1.0');
  await scene.start({ kind: 'issue', issueId: issues[0]!.id });
  await scene.work();
  const rawOf = async (eventId: string) =>
    (await scene.readEvent(eventId)).payload.exception?.values[0]?.raw_stacktrace;
  expect(await rawOf(first!.eventId)).toBeDefined();
  expect(await rawOf(second!.eventId)).toBeUndefined();
  await expect(scene.start({ kind: 'issue', issueId: 999_999_999 })).rejects.toMatchObject({
    code: 'not_found',
  });
  await scene.close();
});
