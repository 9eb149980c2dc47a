import { afterAll, beforeAll } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import type { EventScope, EventStore, IssueEvents } from '#storage/ports/events.ts';
import { createMigratedClickhouse, type Engine } from './engines.ts';
import { DAY_MS, hashOf, makeEvent, NOON_MS } from './sample-events.ts';

export const ORGANIZATION = 7;
export const RANGE = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };
/** When a value of events that all happened at noon was seen. */
export const AT_NOON = { firstSeen: NOON_MS, lastSeen: NOON_MS };
/** The grouping hash of events that are given none. */
export const DEFAULT = hashOf('default');

export type EventScene = {
  database: ClickhouseDatabase;
  store: EventStore;
  projectId: number;
  scope: EventScope;
};

/** An event store for the tests of a block. Parts stay as they are inserted, so that copies of an event are there to be read. */
export function useEventScene(engine: Engine) {
  let database: ClickhouseDatabase & { drop(): Promise<void> };
  let store: EventStore;
  let projectId = 0;
  let tokens = 0;

  async function open(): Promise<void> {
    database = createMigratedClickhouse(engine);
    for (const table of ['events', 'event_index']) {
      await database.command(
        `ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`,
      );
    }
    store = createEventStore(database);
  }
  beforeAll(open);
  afterAll(async () => {
    await database?.drop();
  });

  return {
    /** Begins with a new database. */
    async reopen(): Promise<void> {
      await database.drop();
      await open();
    },
    /** A project of its own, for each test. */
    start(): EventScene {
      projectId += 1;
      return { database, store, projectId, scope: { organizationId: ORGANIZATION, projectIds: [projectId] } };
    },
    event: (overrides: Partial<DigestedEvent> = {}) =>
      makeEvent({ organizationId: ORGANIZATION, projectId, ...overrides }),
    insert(...events: DigestedEvent[]) {
      tokens += 1;
      return store.insertEvents(events, `token ${tokens}`);
    },
    issueOf: (...hashes: string[]): IssueEvents => ({ issueId: 1, projectId, hashes }),
  };
}
