import { afterAll, beforeAll, expect, test } from 'vitest';
import { BodySampler } from '#ingest/body-sampler.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import type { EventStore } from '#storage/ports/events.ts';
import { createMigratedClickhouse, describeOnClickhouse } from './engines.ts';
import { HOUR_MS, hashOf, makeEvent, NOON_MS, newEventId } from './sample-events.ts';

const ORGANIZATION = 7;
const PROJECT = 3;
const SCOPE = { organizationId: ORGANIZATION, projectIds: [PROJECT] };
const RANGE = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };

describeOnClickhouse('Events without a body', (engine) => {
  let database: ReturnType<typeof createMigratedClickhouse>;
  let store: EventStore;
  let issues = 0;
  let groupingHash: string;
  beforeAll(async () => {
    database = createMigratedClickhouse(engine);
    store = createEventStore(database);
  });
  afterAll(async () => {
    await database?.drop();
  });

  const event = (overrides: Partial<DigestedEvent> = {}) =>
    makeEvent({ organizationId: ORGANIZATION, projectId: PROJECT, groupingHash, ...overrides });
  const issue = () => ({ issueId: 1, projectId: PROJECT, hashes: [groupingHash] });
  /** An issue of its own for each test. */
  function start(): void {
    issues += 1;
    groupingHash = hashOf(`issue ${issues}`);
  }

  test('counts, users and tags of a spike are exact, and a sample of the bodies is there', async () => {
    start();
    const sampler = new BodySampler();
    const spike = { isEnabled: true, bodiesPerHour: 10 };
    const events = Array.from({ length: 500 }, (_, index) => {
      const made = event({
        occurredAt: NOON_MS + index,
        user: { id: `user-${index % 50}`, email: null, username: null, ip: null },
        tags: [['browser', index % 4 === 0 ? 'Firefox' : 'Chrome']],
      });
      return { ...made, hasBody: sampler.keepsBody(made, spike) };
    });
    await store.insertEvents(events, 'spike');
    const [activity] = await store.countActivity(SCOPE, [issue()], RANGE, HOUR_MS);
    expect(activity).toMatchObject({ events: 500, users: 50 });
    expect(
      await store.countTags(SCOPE, issue(), RANGE, { keys: 5, values: 5, events: 10_000 }),
    ).toMatchObject([
      {
        key: 'browser',
        total: 500,
        distinct: 2,
        top: [
          { value: 'Chrome', count: 375 },
          { value: 'Firefox', count: 125 },
        ],
      },
    ]);
    const [row] = await database.query<{ bodies: number }>(
      `SELECT countIf(payload != '') AS bodies FROM events WHERE grouping_hash = {groupingHash:String}`,
      { groupingHash },
    );
    // 10 up to the threshold, 9 of the next 90, 4 of the remaining 400.
    expect(row?.bodies).toBe(23);
  });

  test('an event without its body says so, and shows what is known of it', async () => {
    start();
    const made = event({
      hasBody: false,
      logger: 'checkout',
      release: 'web@1',
      environment: 'production',
      traceId: 'ab'.repeat(16),
      user: { id: '7', email: null, username: null, ip: '198.51.100.7' },
    });
    const message = event({
      hasBody: false,
      type: 'default',
      metadata: { title: 'Out of stock' },
      message: 'Out of stock',
    });
    await store.insertEvents([made, message], 'without bodies');
    const found = await store.findEvent(SCOPE, made.eventId);
    expect(found).toMatchObject({
      eventId: made.eventId,
      title: made.title,
      isBodySampled: true,
      payload: {
        event_id: made.eventId,
        type: 'error',
        timestamp: made.occurredAt / 1000,
        logger: 'checkout',
        release: 'web@1',
        environment: 'production',
        exception: { values: [{ type: 'TypeError', value: 'x is undefined' }] },
        user: { id: '7', ip_address: '198.51.100.7' },
        contexts: { trace: { trace_id: 'ab'.repeat(16) } },
        sdk: { name: made.sdk.name, version: made.sdk.version },
        tags: made.tags,
      },
    });
    expect((await store.findEvent(SCOPE, message.eventId))?.payload).toMatchObject({
      logentry: { formatted: 'Out of stock' },
    });
    const whole = event();
    await store.insertEvents([whole], 'whole');
    expect(await store.findEvent(SCOPE, whole.eventId)).toMatchObject({
      isBodySampled: false,
      payload: whole.payload,
    });
  });

  test('the recommended event is the newest that has a body; latest and oldest stay what they are', async () => {
    start();
    const whole = event({ occurredAt: NOON_MS + 5 });
    const events = [
      event({ occurredAt: NOON_MS, hasBody: false }),
      event({ occurredAt: NOON_MS + 1 }),
      whole,
      ...Array.from({ length: 120 }, (_, index) =>
        event({ occurredAt: NOON_MS + 10 + index, hasBody: false }),
      ),
    ];
    await store.insertEvents(events, 'recommended');
    const find = async (edge: 'oldest' | 'latest' | 'recommended') =>
      (await store.findEdgeEvent(SCOPE, issue(), edge))?.eventId;
    expect(await find('recommended')).toBe(whole.eventId);
    expect(await find('latest')).toBe(events.at(-1)?.eventId);
    expect(await find('oldest')).toBe(events[0]?.eventId);
    // Its neighbors are its own, not those of the newest.
    expect(await store.findEdgeBeside(SCOPE, issue(), 'recommended')).toMatchObject({
      event: { eventId: whole.eventId },
      beside: { previousId: events[1]?.eventId, nextId: events[3]?.eventId, position: 3, total: 123 },
    });
  });

  test('without any body among the last events, the recommended one is the newest', async () => {
    start();
    const events = [0, 1, 2].map((index) =>
      event({ occurredAt: NOON_MS + index, hasBody: false, eventId: newEventId() }),
    );
    await store.insertEvents(events, 'no body');
    expect(await store.findEdgeEvent(SCOPE, issue(), 'recommended')).toMatchObject({
      eventId: events[2]?.eventId,
      isBodySampled: true,
    });
    start();
    expect(await store.findEdgeEvent(SCOPE, issue(), 'recommended')).toBeNull();
  });
});
