import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ALERT_SCOPES,
  addRule,
  type OpenDestination,
  openDestination,
  removeRules,
} from '../../harness/alert-destinations.ts';
import { type ApiClient, type ApiIssue, createApiClient } from '../../harness/api-client.ts';
import { buildEnvelope, type Dsn, parseDsn } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import {
  type LargeInstallation,
  largeInstallationMissing,
  startLargeInstallation,
} from '../../harness/large-installation.ts';
import { readMetrics } from '../../harness/read-health.ts';
import { makeJavascriptError, type SampleEvent } from '../../harness/sample-event.ts';
import { chooseSeed, seededRandom, shuffle } from '../../harness/seeded-random.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { deliverStubbornly } from '../../harness/stubborn-client.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

/** Each is a minute, with a project of its own. */
const ROUNDS = Number(process.env.ERRATA_TEST_ROUNDS ?? 6);
const ROUND_MS = 60_000;
const KILL_EVERY_MS = 20_000;
const EVENTS_PER_SECOND = 10;
const ISSUES_PER_ROUND = 5;
/** One event of so many has an attachment that is too large for a record, so that it goes by way of the bucket. */
const ATTACHED_EVERY = 50;
const ATTACHMENT_BYTES = 1_500_000;
/** An edge reads the keys of new projects within this time. */
const KEYS_KNOWN_MS = 15_000;
const DRAINED_MS_MAX = 5 * 60_000;

type Round = {
  slug: string;
  dsn: Dsn;
  hook: OpenDestination;
  ids: string[];
  killed: string[];
  sentMs: number;
};

const missing = IS_FULL ? largeInstallationMissing() : 'only in the full run';

describe.skipIf(missing !== null)(
  missing === null ? 'a large installation' : `a large installation (skipped: ${missing})`,
  () => {
    let large: LargeInstallation;
    let api: ApiClient;
    const rounds: Round[] = [];

    beforeAll(async () => {
      large = await startLargeInstallation({ ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1' });
      const [first] = large.machines as [LargeInstallation['machines'][number]];
      api = createApiClient(first.url, await first.token(ALERT_SCOPES));
      for (let round = 0; round < ROUNDS; round++) {
        const slug = `minute-${round}`;
        const dsn = parseDsn(await first.project(slug));
        const hook = await openDestination(api, 'webhook');
        await removeRules(api, slug);
        await addRule(api, slug, [hook.id]);
        rounds.push({ slug, dsn, hook, ids: [], killed: [], sentMs: 0 });
      }
      await delay(KEYS_KNOWN_MS);
    }, 15 * 60_000);
    afterAll(async () => {
      for (const { hook } of rounds) await hook.service.close();
      await large?.remove();
    }, 120_000);

    test('whatever is killed, what was answered 200 is counted once, and each new issue is told once', {
      timeout: ROUNDS * ROUND_MS * 3 + 15 * 60_000,
    }, async () => {
      const random = seededRandom(chooseSeed());
      const owners = watchOwners(large);
      let current = rounds[0] as Round;
      let isOver = false;
      const killing = (async () => {
        let queue: typeof large.victims = [];
        while (!isOver) {
          // Each once before any again, in another order every time.
          if (queue.length === 0) queue = shuffle(large.victims, random);
          const [victim, ...others] = queue as [(typeof queue)[number]];
          queue = others;
          const startedAt = performance.now();
          current.killed.push(victim.name);
          await victim.kill(large.awayMs(random));
          await delay(Math.max(0, KILL_EVERY_MS - (performance.now() - startedAt)));
        }
      })();
      for (const round of rounds) {
        current = round;
        await sendForOneRound(round, large);
      }
      isOver = true;
      await killing;
      owners.stop();
      for (const { url } of large.machines.slice(0, 2)) await waitUntilReady(url, DRAINED_MS_MAX);

      const table: string[] = [];
      for (const round of rounds) {
        await expectExactlyOnce(api, round.slug, round.ids, DRAINED_MS_MAX);
        const told = await expectToldOnce(api, round);
        table.push(
          `| ${round.slug} | ${round.ids.length} | ${round.ids.length} | ${told} | ${(round.sentMs / 1_000).toFixed(0)} s | ${round.killed.join(', ')} |`,
        );
      }
      console.log(
        [
          `partitions changed their digest ${owners.changes()} times`,
          '| round | answered 200 | counted once | issues told once | sent in | killed |',
          ...table,
        ].join('\n'),
      );
      expect(await lostRecords(large)).toBe(0);
    });
  },
);

/** To both edges in turn; each event again until it is answered 200. */
async function sendForOneRound(round: Round, large: LargeInstallation): Promise<void> {
  const startedAt = performance.now();
  const [first, second] = large.machines as [
    LargeInstallation['machines'][number],
    LargeInstallation['machines'][number],
  ];
  const edges = [first, second].map(({ url }) => ({ ...round.dsn, origin: new URL(url).origin }));
  const sending: Promise<void>[] = [];
  for (let second = 0; second < ROUND_MS / 1_000; second++) {
    const events = Array.from({ length: EVENTS_PER_SECOND }, (_, index) =>
      makeJavascriptError({ issue: (second + index) % ISSUES_PER_ROUND, bytes: 3_000 }),
    );
    const edge = edges[second % edges.length] as Dsn;
    sending.push(
      deliverStubbornly(edge, events, { connections: 4, envelopeOf }).then((deliveries) => {
        expect(deliveries.filter(({ answered }) => !answered)).toEqual([]);
        round.ids.push(...deliveries.map(({ eventId }) => eventId));
      }),
    );
    await delay(Math.max(0, startedAt + (second + 1) * 1_000 - performance.now()));
  }
  await Promise.all(sending);
  round.sentMs = performance.now() - startedAt;
}

let sent = 0;

function envelopeOf(event: SampleEvent): Buffer {
  sent += 1;
  const attachment = {
    type: 'attachment',
    payload: randomBytes(ATTACHMENT_BYTES),
    headers: { filename: 'dump.bin' },
  };
  return buildEnvelope({ event_id: event.event_id, sent_at: new Date().toISOString() }, [
    { type: 'event', payload: JSON.stringify(event) },
    ...(sent % ATTACHED_EVERY === 0 ? [attachment] : []),
  ]);
}

type Told = { issues: { id: string }[]; issues_not_named: number };

/** A message may come twice when its sender died before it was noted as sent; then it has the same request ID. */
async function expectToldOnce(api: ApiClient, { slug, hook }: Round): Promise<number> {
  const issues = await api.list<ApiIssue>(`/api/0/projects/main/${slug}/issues/?query=`);
  const requestsOf = () => {
    const requests = new Map<string, Set<unknown>>();
    for (const { headers, body } of hook.service.received) {
      const { issues: named } = (body as { data: { errata: Told } }).data.errata;
      for (const { id } of named)
        requests.set(id, (requests.get(id) ?? new Set()).add(headers['request-id']));
    }
    return requests;
  };
  await until(`every issue of ${slug} to be told`, () => issues.every(({ id }) => requestsOf().has(id)), {
    timeoutMs: DRAINED_MS_MAX,
    everyMs: 1_000,
  });
  const repeated = [...requestsOf()].filter(([, ids]) => ids.size > 1);
  expect(
    repeated.map(([id]) => id),
    slug,
  ).toEqual([]);
  return issues.length;
}

/** Who digests which partition, as one of the machines that still answer says it. */
function watchOwners({ machines }: LargeInstallation) {
  const owners = new Map<string, string>();
  let changes = 0;
  const timer = setInterval(async () => {
    for (const machine of machines.slice(0, 2)) {
      const metrics = await readMetrics(machine).catch(() => '');
      const owned = [...metrics.matchAll(OWNED)];
      for (const [, partition = '', owner = ''] of owned) {
        if (owners.has(partition) && owners.get(partition) !== owner) changes += 1;
        owners.set(partition, owner);
      }
      if (owned.length > 0) return;
    }
  }, 2_000);
  return { changes: () => changes, stop: () => clearInterval(timer) };
}

const OWNED = /^errata_spool_partition_owned\{partition="(\d+)",owner="([^"]+)"\} 1$/gm;

async function lostRecords({ machines }: LargeInstallation): Promise<number> {
  const [first] = machines as [LargeInstallation['machines'][number]];
  const values = [...(await readMetrics(first)).matchAll(/^errata_spool_lost_records\S* (\d+)$/gm)];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
