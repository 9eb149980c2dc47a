import { expect } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { matchEvents } from '#storage/clickhouse/search/match-events.ts';
import type { EventScope, TimeRange } from '#storage/ports/events.ts';
import type { EventCondition, EventExpression, TextField, TextMatch } from '#storage/ports/search.ts';
import { chooseSeed, seededRandom } from '../harness/seeded-random.ts';
import { createMigratedClickhouse, type Engine } from './engines.ts';
import { DAY_MS, HOSTILE_TEXT, HOUR_MS, hashOf, makeEvent, NOON_MS } from './sample-events.ts';

export const ORGANIZATION = 7;
const EVENTS = 400;
const BROWSERS = ['Firefox', 'Chrome', 'chrome', 'Edge'];
const UNIQUE = '4c79f60c11214eb38604f4ae0781bfb2';

/** Random events and searches over them, and what reading every event finds. */
export async function openValueScene(engine: Engine) {
  const database = createMigratedClickhouse(engine);
  const store = createEventStore(database);
  let projects = 0;
  let scope: EventScope = { organizationId: ORGANIZATION, projectIds: [] };
  const random = seededRandom(chooseSeed());
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

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

  return {
    database,
    store,
    fill,
    readAll,
    compare,
    listRows,
    /** The project that was filled last. */
    scope: () => scope,
    close: () => database.drop(),
  };
}

export type ValueScene = Awaited<ReturnType<typeof openValueScene>>;
