import { expect, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import { createDeletedEventStore } from '#storage/clickhouse/deleted-data.ts';
import { createRegroupEvents } from '#storage/clickhouse/regroup/regroup-events.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { describeOnClickhouse } from '../engines.ts';
import { ORGANIZATION, openValueScene } from '../event-values-scene.ts';
import { DAY_MS, hashOf, NOON_MS, newEventId } from '../sample-events.ts';

/** After each thing that happens to stored events. */
const ROUNDS = 20;

describeOnClickhouse('the index of values', (engine) => {
  test('follows events that are deleted, dropped by days, and moved to another hash', async () => {
    const { database, store, fill, compare, readAll, scope, close } = await openValueScene(engine);
    // Each deletion goes through every part of every day that is there.
    const events = await fill(10);
    const [projectId] = scope().projectIds as [number];
    const deleted = [hashOf('issue 1'), hashOf('issue 2')];
    const requestedAt = NOON_MS - 5 * DAY_MS;
    const deletion = { id: 1, organizationId: ORGANIZATION, projectId, hashes: deleted, requestedAt };
    await createDeletedEventStore(database).deleteEvents(deletion);
    await compare(ROUNDS);
    const kept = await database.query(
      `SELECT field FROM event_values WHERE project_id = {projectId:UInt64} AND field NOT IN ('?', '!')
         AND leftPad(lower(hex(grouping_hash)), 32, '0') IN {deleted:Array(String)}`,
      { projectId, deleted },
    );
    expect(kept).toEqual([]);
    // What is like deleted events is found, although the store may remember having noted all of it.
    const again = events.filter(
      (event) => deleted.includes(event.groupingHash) && event.receivedAt > requestedAt - 5 * DAY_MS,
    );
    expect(again.length).toBeGreaterThan(0);
    await store.insertEvents(
      again.map((event) => ({ ...event, eventId: newEventId(), receivedAt: NOON_MS })),
      'again',
    );
    await compare(ROUNDS);

    const days = createStoredDays(database);
    const whole = { kind: 'events' as const, part: null, projectId: null, hours: [] };
    for (const day of ['2026-02-20', '2026-02-21']) await days.drop([{ ...whole, day }]);
    await compare(ROUNDS);
    const day = '2026-02-25';
    const [hour] = await days.weighHours('events', day, projectId);
    if (!hour) throw new Error('The day has no event');
    await days.drop([{ ...whole, day, projectId, hours: [hour.hour] }]);
    await compare(ROUNDS);

    const from = hashOf('issue 3');
    // One day of arrival: each costs seconds.
    const dayOf = (event: DigestedEvent) => Math.floor(event.receivedAt / DAY_MS);
    const some = events.find(
      (event) => event.groupingHash === from && event.receivedAt > NOON_MS - 3 * DAY_MS,
    );
    if (!some) throw new Error('No event of the issue is that new');
    const to = hashOf('new issue');
    const regroup = createRegroupEvents(database);
    const moves = events
      .filter((event) => event.groupingHash === from && dayOf(event) === dayOf(some))
      .map(({ eventId, occurredAt, receivedAt }) => ({ eventId, from, to, occurredAt, receivedAt }));
    expect(moves.length).toBeGreaterThan(0);
    const place = { changeId: 1, organizationId: ORGANIZATION, projectId, phase: 'apply', round: 0 } as const;
    await regroup.noteMoves(place, moves);
    for (const day of await regroup.listMoveDays(1, 'apply', 0))
      await regroup.moveDay(place, day, [{ from, to }], false);
    expect(await readAll({ kind: 'and', parts: [] }, null)).toContainEqual(
      expect.objectContaining({ hash: to }),
    );
    await compare(ROUNDS);
    for (const day of await regroup.listMoveDays(1, 'apply', 0))
      await regroup.moveDay(place, day, [{ from, to }], true);
    await compare(ROUNDS);
    await close();
  }, 600_000);
});
