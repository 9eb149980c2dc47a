import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelReprocess } from '#product/symbolication/reprocesses.ts';
import { makeSourceMap } from '../../harness/make-source-map.ts';
import { dyingAt } from '../dying-at.ts';
import { openProduct, type Product } from '../open-product.ts';
import { openReprocessScene, SEGMENTS, SOURCES } from '../reprocess-scene.ts';

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(() => product?.close());

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

describe('a run that is interrupted', () => {
  test('each day takes the place of the old one when it was read, and nothing of it is kept beside', async () => {
    const scene = await openReprocessScene(product);
    const events = await scene.send([
      { columns: [100], at: 1 },
      { columns: [100], at: 2, arrivedAgo: 1 },
      { columns: [100], at: 3, arrivedAgo: 2 },
    ]);
    await scene.upload('1.0');
    const run = await scene.start({ kind: 'release', version: '1.0' });
    await expect(scene.work({ faults: dyingAt('reprocess-day-replaced', 2) })).rejects.toThrow('died');
    const staged = await product.stores.reprocessEvents.listStagedDays(run.id);
    expect(staged).toEqual([dayOf(events[1]!.receivedAt)]);
    expect(await product.stores.reprocessEvents.listStagedRuns()).toEqual([run.id]);
    const isShown = async (index: number) =>
      (await scene.readEvent(events[index]!.eventId)).payload.exception?.values[0]?.raw_stacktrace !==
      undefined;
    expect([await isShown(0), await isShown(2)]).toEqual([true, false]);
    await scene.work();
    expect((await scene.listIssues()).map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[3, 3]]);
    expect(await isShown(2)).toBe(true);
    expect(await product.stores.reprocessEvents.listStagedRuns()).toEqual([]);
    await scene.close();
  });

  test('and finds another upload when it goes on gives its events what that says', async () => {
    const scene = await openReprocessScene(product);
    const [first] = await scene.send([
      { columns: [100], at: 1 },
      { columns: [100], at: 2 },
    ]);
    await scene.upload('1.0', [{ at: [0, 0], from: [1, 1, 0] }]);
    await scene.start({ kind: 'release', version: '1.0' });
    await expect(scene.work({ faults: dyingAt('reprocess-noted') })).rejects.toThrow('died');
    await scene.upload('1.0');
    await scene.work();
    expect((await scene.listIssues()).map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[2, 2]]);
    const { groupingHash, payload } = await scene.readEvent(first!.eventId);
    expect(payload.exception?.values[0]?.stacktrace?.frames[0]).toMatchObject({ lineno: 8 });
    expect(groupingHash).not.toBe(first!.groupingHash);
    await scene.close();
  });

  test('and finds no upload any more leaves events that were not counted as they are', async () => {
    const scene = await openReprocessScene(product);
    // The days are read newest first: the first one is counted, the second one only noted.
    const [counted, noted] = await scene.send([
      { columns: [100], at: 1 },
      { columns: [100], at: 2, arrivedAgo: 1 },
    ]);
    const uploads = await scene.upload('1.0');
    await scene.start({ kind: 'release', version: '1.0' });
    const faults = dyingAt('reprocess-noted', 2);
    await expect(scene.work({ faults })).rejects.toThrow('died');
    await scene.deleteUploads(uploads);
    await scene.work();
    const issues = await scene.listIssues();
    expect(issues.map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[2, 2]]);
    const hashOf = async (eventId: string) => (await scene.readEvent(eventId)).groupingHash;
    expect(await hashOf(counted!.eventId)).not.toBe(counted!.groupingHash);
    expect(await hashOf(noted!.eventId)).toBe(noted!.groupingHash);
    await scene.close();
  });

  test('by digest, which counts an event under a hash that nothing was decided about, leaves that one there', async () => {
    const scene = await openReprocessScene(product);
    await scene.send([{ columns: [100], names: ['a'], at: 1 }]);
    const late = await scene.understand([{ columns: [300], names: ['b'], at: 2 }]);
    await scene.store(late);
    await scene.upload('1.0');
    await scene.start({ kind: 'release', version: '1.0' });
    await expect(scene.work({ faults: dyingAt('reprocess-applied') })).rejects.toThrow('died');
    await scene.count(late);
    await scene.work();
    const counted = (issues: Awaited<ReturnType<typeof scene.listIssues>>) =>
      issues.map(({ timesSeen, stored }) => [timesSeen, stored]);
    expect(counted(await scene.listIssues())).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect((await scene.readEvent(late[0]!.eventId)).groupingHash).toBe(late[0]!.groupingHash);

    // The next run takes it along, although it shows its source already.
    await scene.start({ kind: 'release', version: '1.0' });
    await scene.work();
    expect(counted(await scene.listIssues())).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect((await scene.readEvent(late[0]!.eventId)).groupingHash).not.toBe(late[0]!.groupingHash);
    await scene.close();
  });

  test('is given back when its process has to stop', async () => {
    const scene = await openReprocessScene(product);
    await scene.send([{ columns: [100] }]);
    await scene.upload('1.0');
    await scene.start({ kind: 'release', version: '1.0' });
    expect(await scene.work({ signal: AbortSignal.abort() })).toBe(false);
    expect(await scene.work()).toBe(true);
    await scene.close();
  });
});

test('a run can be cancelled while nothing was regrouped, and never undone', async () => {
  const scene = await openReprocessScene(product);
  await scene.send([{ columns: [100] }]);
  await scene.upload('1.0');
  const first = await scene.start({ kind: 'release', version: '1.0' });
  await expect(scene.start({ kind: 'release', version: '1.0' })).rejects.toMatchObject({ code: 'conflict' });
  await cancelReprocess(scene.admin, first.id);
  expect(await scene.work()).toBe(false);

  const second = await scene.start({ kind: 'release', version: '1.0' });
  await scene.work();
  await expect(cancelReprocess(scene.admin, second.id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(
    product.stores.regroups.undo(scene.organization.id, second.id, null, Date.now()),
  ).rejects.toMatchObject({ code: 'conflict' });
  await scene.close();
});

describe('a run that was cancelled when rows were replaced', () => {
  test('is made up for by the next one', async () => {
    const scene = await openReprocessScene(product);
    await scene.send([
      { columns: [200, 100], names: ['a', 'b'], at: 1 },
      { columns: [200, 100], names: ['c', 'd'], at: 2 },
    ]);
    await scene.upload('1.0');
    const first = await scene.start({ kind: 'release', version: '1.0' });
    await expect(scene.work({ faults: dyingAt('reprocess-day-replaced') })).rejects.toThrow('died');
    await cancelReprocess(scene.admin, first.id);
    expect((await scene.listIssues()).map(({ timesSeen }) => timesSeen)).toEqual([1, 1]);
    await scene.start({ kind: 'release', version: '1.0' });
    await scene.work();
    expect((await scene.listIssues()).map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[2, 2]]);
    expect(await product.stores.reprocessEvents.listStagedRuns()).toEqual([]);
    await scene.close();
  });

  test('also where it is about events that show no source, which these do by now', async () => {
    const scene = await openReprocessScene(product);
    const debugId = '1c0d4c5e-8d7a-4c3f-9a52-0d6f3b1a2c4e';
    await scene.send([
      { columns: [200, 100], names: ['a', 'b'], at: 1, debugId },
      { columns: [200, 100], names: ['c', 'd'], at: 2, debugId },
    ]);
    const map = makeSourceMap(SOURCES, SEGMENTS, { debug_id: debugId });
    const file = { name: 'app.js', content: 'a()', debugId, sourceMap: 'app.js.map' };
    const bundle = await scene.uploadFile({ ...file, kind: 'minified_source' }, null);
    await scene.uploadFile({ name: 'app.js.map', content: map, kind: 'source_map', debugId }, null);
    const scope = { kind: 'bundle', bundleId: bundle.id } as const;
    const first = await scene.start(scope);
    await expect(scene.work({ faults: dyingAt('reprocess-day-replaced') })).rejects.toThrow('died');
    await cancelReprocess(scene.admin, first.id);
    await scene.start(scope);
    await scene.work();
    expect((await scene.listIssues()).map(({ timesSeen, stored }) => [timesSeen, stored])).toEqual([[2, 2]]);
    await scene.close();
  });
});
