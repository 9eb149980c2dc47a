import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { indexStoredValues } from '#storage/clickhouse/search/values/stored-values.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { createMigratedClickhouse, describeOnClickhouse } from './engines.ts';
import { ORGANIZATION, openValueScene, type ValueScene } from './event-values-scene.ts';
import { DAY_MS, hashOf, makeEvent, NOON_MS } from './sample-events.ts';

const ROUNDS = IS_FULL ? 100 : 4;

/** What the index of values narrows down must be what reading every event finds. */
describeOnClickhouse('the index of values', (engine) => {
  let scene: ValueScene;
  beforeAll(async () => {
    scene = await openValueScene(engine);
  });
  afterAll(() => scene?.close());

  testInFull(
    'any expression finds what reading every event finds',
    async () => {
      await scene.fill();
      expect(await scene.compare(ROUNDS)).toBeGreaterThan(ROUNDS);
    },
    600_000,
  );

  test('what is noted on arrival is what is noted of the stored rows', async () => {
    await scene.fill();
    const noted = await scene.listRows();
    expect(noted.length).toBeGreaterThan(100);
    await scene.database.write('DELETE FROM event_values WHERE 1', {});
    for (const statement of indexStoredValues('1')) await scene.database.write(statement, {});
    expect(await scene.listRows()).toEqual(noted);
  });

  testInFull('the migration notes the same of what was stored before', async () => {
    const noted = await scene.listRows();
    const { readFileSync } = await import('node:fs');
    const migration = readFileSync(
      new URL('../../src/storage/clickhouse/migrations/0006_event_values.sql', import.meta.url),
      'utf8',
    );
    await scene.database.write('DELETE FROM event_values WHERE 1', {});
    const statements = migration.split(/;\n/).filter((statement) => statement.includes('INSERT INTO'));
    for (const statement of statements) await scene.database.write(statement.replace(/^--.*$/gm, ''), {});
    expect(await scene.listRows()).toEqual(noted);
  });

  testInFull('is no larger for values that no two events share', async () => {
    await scene.fill();
    const project = scene.scope().projectIds[0];
    const event = (index: number) =>
      makeEvent({
        organizationId: ORGANIZATION,
        projectId: project!,
        groupingHash: hashOf('one'),
        tags: [['request', `${hashOf(String(index))}`]],
      });
    await scene.store.insertEvents([event(0)], 'alone');
    const before = await scene.listRows();
    await scene.store.insertEvents(
      Array.from({ length: 50 }, (_, index) => event(index + 1)),
      'many',
    );
    expect(await scene.listRows()).toEqual(before);
    const asked: EventExpression = {
      kind: 'text',
      field: { kind: 'tag', key: 'request' },
      matches: [{ kind: 'exact', text: hashOf('7') }],
      isNegated: false,
    };
    expect((await scene.store.findHashes(scene.scope(), asked, null, 10)).hashes).toEqual([
      { projectId: project, hash: hashOf('one') },
    ]);
    expect(
      (
        await scene.store.listEvents(scene.scope(), {
          limit: 5,
          before: null,
          range: null,
          expression: asked,
        })
      ).events,
    ).toHaveLength(1);
  });

  testInFull('a month goes when none of its events is left', async () => {
    const own = createMigratedClickhouse(engine);
    try {
      const events = [0, 31].map((days) =>
        makeEvent({
          organizationId: ORGANIZATION,
          projectId: 1,
          occurredAt: NOON_MS - days * DAY_MS,
          receivedAt: NOON_MS - days * DAY_MS,
        }),
      );
      await createEventStore(own).insertEvents(events, 'both');
      const months = async () =>
        (
          await own.query<{ month: string }>(
            'SELECT DISTINCT toString(month) AS month FROM event_values ORDER BY month',
            {},
          )
        ).map(({ month }) => month);
      expect(await months()).toEqual(['2026-01-01', '2026-03-01']);
      const whole = { kind: 'events' as const, part: null, projectId: null, hours: [] };
      await createStoredDays(own).drop([{ ...whole, day: '2026-01-29' }]);
      expect(await months()).toEqual(['2026-03-01']);
      await createStoredDays(own).drop([{ ...whole, day: '2026-03-01' }]);
      expect(await months()).toEqual([]);
    } finally {
      await own.drop();
    }
  });
});
