import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createDeletedEventStore } from '#storage/clickhouse/deleted-data.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createRegroupEvents } from '#storage/clickhouse/regroup/regroup-events.ts';
import { matchEvents } from '#storage/clickhouse/search/match-events.ts';
import { indexStoredValues } from '#storage/clickhouse/search/values/stored-values.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import type { EventScope, EventStore, TimeRange } from '#storage/ports/events.ts';
import type { EventCondition, EventExpression, TextField, TextMatch } from '#storage/ports/search.ts';
import { chooseSeed, seededRandom } from '../harness/seeded-random.ts';
import { createMigratedClickhouse, describeOnClickhouse } from './engines.ts';
import { DAY_MS, HOSTILE_TEXT, HOUR_MS, hashOf, makeEvent, NOON_MS, newEventId } from './sample-events.ts';

const ORGANIZATION = 7;
const EVENTS = 400;
const ROUNDS = process.env.ERRATA_TEST_FULL ? 2_000 : 8;
/** After each thing that happens to stored events. */
const MOVED_ROUNDS = process.env.ERRATA_TEST_FULL ? 100 : 3;
const BROWSERS = ['Firefox', 'Chrome', 'chrome', 'Edge'];
const UNIQUE = '4c79f60c11214eb38604f4ae0781bfb2';

/** What the index of values narrows down must be what reading every event finds. */
describeOnClickhouse('the index of values', (engine) => {
  let database: ClickhouseDatabase & { drop(): Promise<void> };
  let store: EventStore;
  let projects = 0;
  let scope: EventScope;
  const random = seededRandom(chooseSeed());
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

  const open = async () => {
    database = await createMigratedClickhouse(engine);
    store = createEventStore(database);
  };
  beforeAll(open);
  afterAll(async () => {
    await database?.drop();
  });

  /** Events of a new project over five weeks, alike and not. */
  async function fill(days = 35): Promise<DigestedEvent[]> {
    projects += 1;
    scope = { organizationId: ORGANIZATION, projectIds: [projects] };
    const events = Array.from({ length: EVENTS }, () => {
      const issue = Math.floor(random() * 12);
      const name = `fn${issue % 5}`;
      const occurredAt = NOON_MS - Math.floor(random() * days) * DAY_MS + Math.floor(random() * 11) * HOUR_MS;
      return makeEvent({
        organizationId: ORGANIZATION,
        projectId: projects,
        groupingHash: hashOf(`issue ${issue}`),
        occurredAt,
        // Some come days after they happened.
        receivedAt: occurredAt + Math.floor(random() * 3) * DAY_MS,
        level: pick(['error', 'fatal']),
        environment: pick(['production', 'staging', null]),
        transaction: pick(['/cart', '/cart/123456789', null]),
        title: pick(['Error: a', `Error: ${UNIQUE}`]),
        user: { id: String(issue), email: null, username: null, ip: null },
        tags: [
          ['browser', pick(BROWSERS)],
          ['weight', pick(['1', '12.5', '1234567', 'heavy'])],
          ...(random() < 0.2 ? [['odd', pick([HOSTILE_TEXT, UNIQUE, '\u0001'])] as const] : []),
        ],
        payload: {
          ...makeEvent({ organizationId: ORGANIZATION, projectId: projects }).payload,
          contexts: { device: { arch: pick(['arm64', 'x86']) } },
          exception: {
            values: [
              {
                type: pick(['TypeError', 'KeyError']),
                value: pick(['x', UNIQUE]),
                mechanism: { type: 'generic', handled: random() < 0.5 },
                stacktrace: { frames: [{ function: name, filename: `${name}.js`, in_app: issue % 2 === 0 }] },
              },
            ],
          },
        },
      });
    });
    const half = events.length / 2;
    await store.insertEvents(events.slice(0, half), `first half ${projects}`);
    await store.insertEvents(events.slice(half), `second half ${projects}`);
    return events;
  }

  const match = (texts: readonly string[]): TextMatch =>
    random() < 0.6
      ? { kind: 'exact', text: pick([...texts, '']) }
      : { kind: 'pattern', parts: pick([[pick(texts).slice(0, 2), ''], ['', 'e'], ['', ''], [pick(texts)]]) };

  function condition(): EventCondition {
    const isNegated = random() < 0.25;
    const fields: readonly (readonly [TextField, readonly string[]])[] = [
      [{ kind: 'column', name: 'environment' }, ['production', 'staging', 'nowhere']],
      [{ kind: 'column', name: 'transaction' }, ['/cart', '/cart/123456789']],
      [{ kind: 'column', name: 'title' }, ['Error: a', `Error: ${UNIQUE}`]],
      [{ kind: 'column', name: 'user.id' }, ['3', '11']],
      [{ kind: 'tag', key: 'browser' }, BROWSERS],
      [{ kind: 'tag', key: 'odd' }, [HOSTILE_TEXT, UNIQUE, '\u0001']],
      [{ kind: 'attribute', name: 'device.arch' }, ['arm64', 'x86']],
      [{ kind: 'list', name: 'error.type' }, ['TypeError', 'typeerror']],
      [{ kind: 'list', name: 'error.value' }, ['x', UNIQUE]],
      [{ kind: 'list', name: 'stack.function' }, ['fn1', 'fn2', 'fn9']],
    ];
    const [field, texts] = pick(fields);
    return pick<() => EventCondition>([
      () => ({ kind: 'text', field, matches: [match(texts)], isNegated }),
      () => ({ kind: 'text', field, matches: [match(texts), match(texts)], isNegated }),
      () => ({ kind: 'present', field, isNegated }),
      () => ({ kind: 'flag', name: pick(['error.handled', 'stack.in_app']), value: isNegated }),
      () => ({
        kind: 'number',
        field: { kind: 'tag', key: 'weight' },
        comparison: pick(['=', '!=', '<', '>=']),
        value: pick([1, 12.5, 1_234_567]),
      }),
      () => ({ kind: 'moment', comparison: pick(['<', '>=']), atMs: NOON_MS - 9 * DAY_MS }),
      () => ({
        kind: 'words',
        match: { kind: 'pattern', parts: ['', pick(['error', UNIQUE]), ''] },
        isNegated,
      }),
    ])();
  }

  function expression(depth = 0): EventExpression {
    if (depth === 2 || random() < 0.4) return condition();
    const parts = Array.from({ length: Math.floor(random() * 3) + 1 }, () => expression(depth + 1));
    return { kind: random() < 0.6 ? 'and' : 'or', parts };
  }

  function someRange(): TimeRange | null {
    if (random() < 0.3) return null;
    const fromMs = NOON_MS - Math.floor(random() * 36) * DAY_MS + Math.floor(random() * DAY_MS);
    return { fromMs, toMs: fromMs + Math.floor(random() * 40 * DAY_MS) };
  }

  /** By reading every event. */
  async function readAll(asked: EventExpression, range: TimeRange | null) {
    const matching = matchEvents(asked);
    return await database.query<{ hash: string; id: string }>(
      `SELECT toString(grouping_hash) AS hash, toString(events.event_id) AS id FROM events
       WHERE project_id = {project:UInt64} AND ${matching.sql}
         AND occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64}) AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64})
       ORDER BY occurred_at DESC, events.event_id DESC`,
      {
        ...matching.params,
        project: scope.projectIds[0],
        fromMs: range?.fromMs ?? 0,
        toMs: range?.toMs ?? Date.UTC(2100, 0, 1),
      },
    );
  }

  async function compare(rounds: number): Promise<number> {
    let found = 0;
    for (let round = 0; round < rounds; round++) {
      const asked = expression();
      const range = someRange();
      const about = JSON.stringify({ asked, range });
      const wanted = await readAll(asked, range);
      const { hashes, isCut } = await store.findHashes(scope, asked, range, 100);
      expect(hashes.map(({ hash }) => hash).sort(), about).toEqual(
        [...new Set(wanted.map(({ hash }) => hash))].sort(),
      );
      expect(isCut).toBe(false);
      const limit = pick([3, 1_000]);
      const page = await store.listEvents(scope, { limit, before: null, range, expression: asked });
      expect(
        page.events.map(({ eventId }) => eventId),
        about,
      ).toEqual(wanted.slice(0, limit).map(({ id }) => id));
      expect(page.hasMore, about).toBe(wanted.length > limit);
      found += wanted.length;
    }
    return found;
  }

  const listRows = async () =>
    await database.query(
      `SELECT field, value, toString(grouping_hash) AS hash, toString(month) AS month, groupBitOr(days) AS days
       FROM event_values WHERE project_id = {project:UInt64}
       GROUP BY ALL ORDER BY ALL`,
      { project: scope.projectIds[0] },
    );

  test('any expression finds what reading every event finds', async () => {
    await fill();
    expect(await compare(ROUNDS)).toBeGreaterThan(ROUNDS);
  }, 600_000);

  test('what is noted on arrival is what is noted of the stored rows', async () => {
    await fill();
    const noted = await listRows();
    expect(noted.length).toBeGreaterThan(100);
    await database.write('DELETE FROM event_values WHERE 1', {});
    for (const statement of indexStoredValues('1')) await database.write(statement, {});
    expect(await listRows()).toEqual(noted);
  });

  test('the migration notes the same of what was stored before', async () => {
    const noted = await listRows();
    const { readFileSync } = await import('node:fs');
    const migration = readFileSync(
      new URL('../../src/storage/clickhouse/migrations/0006_event_values.sql', import.meta.url),
      'utf8',
    );
    await database.write('DELETE FROM event_values WHERE 1', {});
    const statements = migration.split(/;\n/).filter((statement) => statement.includes('INSERT INTO'));
    for (const statement of statements) await database.write(statement.replace(/^--.*$/gm, ''), {});
    expect(await listRows()).toEqual(noted);
  });

  test('is no larger for values that no two events share', async () => {
    await fill();
    const project = scope.projectIds[0];
    const event = (index: number) =>
      makeEvent({
        organizationId: ORGANIZATION,
        projectId: project!,
        groupingHash: hashOf('one'),
        tags: [['request', `${hashOf(String(index))}`]],
      });
    await store.insertEvents([event(0)], 'alone');
    const before = await listRows();
    await store.insertEvents(
      Array.from({ length: 50 }, (_, index) => event(index + 1)),
      'many',
    );
    expect(await listRows()).toEqual(before);
    const asked: EventExpression = {
      kind: 'text',
      field: { kind: 'tag', key: 'request' },
      matches: [{ kind: 'exact', text: hashOf('7') }],
      isNegated: false,
    };
    expect((await store.findHashes(scope, asked, null, 10)).hashes).toEqual([
      { projectId: project, hash: hashOf('one') },
    ]);
    expect(
      (await store.listEvents(scope, { limit: 5, before: null, range: null, expression: asked })).events,
    ).toHaveLength(1);
  });

  test('follows events that are deleted, dropped by days, and moved to another hash', async () => {
    // Each deletion goes through every part of every day that is there.
    await database.drop();
    await open();
    const events = await fill(10);
    const [projectId] = scope.projectIds as [number];
    const deleted = [hashOf('issue 1'), hashOf('issue 2')];
    const requestedAt = NOON_MS - 5 * DAY_MS;
    const deletion = { id: 1, organizationId: ORGANIZATION, projectId, hashes: deleted, requestedAt };
    await createDeletedEventStore(database).deleteEvents(deletion);
    await compare(MOVED_ROUNDS);
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
    await compare(MOVED_ROUNDS);

    const days = createStoredDays(database);
    const whole = { kind: 'events' as const, part: null, projectId: null, hours: [] };
    for (const day of ['2026-02-20', '2026-02-21']) await days.drop([{ ...whole, day }]);
    await compare(MOVED_ROUNDS);
    const day = '2026-02-25';
    const [hour] = await days.weighHours('events', day, projectId);
    if (!hour) throw new Error('The day has no event');
    await days.drop([{ ...whole, day, projectId, hours: [hour.hour] }]);
    await compare(MOVED_ROUNDS);

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
    await compare(MOVED_ROUNDS);
    for (const day of await regroup.listMoveDays(1, 'apply', 0))
      await regroup.moveDay(place, day, [{ from, to }], true);
    await compare(MOVED_ROUNDS);
  }, 600_000);

  test('a month goes when none of its events is left', async () => {
    const own = await createMigratedClickhouse(engine);
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
