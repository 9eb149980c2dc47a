import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { multiplyEvents } from '../../bench/multiply-events.ts';
import { createApiClient } from '../../harness/api-client.ts';
import {
  buildEnvelope,
  type EnvelopeItem,
  newEventId,
  newSpanId,
  parseDsn,
  postEnvelope,
} from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const EMAIL = 'ann.to-be-erased@customers.example';
const ID = 'customer-9b1f47d2e6';
/** Beside those of the person. A run by hand may ask for millions. */
const EVENTS = Number(process.env.ERRATA_TEST_ERASURE_EVENTS ?? 20_000);
const MINUTE_MS = 60_000;

/** Each kills the jobs role once: the request goes on where it stopped, a minute later, when its lease is over. */
const DEATHS = IS_FULL
  ? ['data-request-counted', 'data-request-hide', 'data-request-texts', 'data-request-purge']
  : [];

test.skipIf(!IS_FULL)(
  'one user among many events is erased: no file of the data directory holds their address or ID, whatever dies meanwhile',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'errata-armed-'));
    const armed = (point: string) => path.join(folder, point);
    const server = await startErrata({
      env: { ERRATA_FAULT_POINTS: DEATHS.map((point) => `${point}:armed=${armed(point)}`).join(',') },
    });
    try {
      const api = createApiClient(server.url, await server.token());
      const dsn = parseDsn(await server.project('web'));
      const log = (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`);
      const count = async () =>
        (await ask<{ n: number }>(server.dataDir, 'SELECT count() AS n FROM events'))[0]!.n;

      // Events of others, many times over.
      for (let number = 0; number < 50; number += 1) {
        await send(dsn, [
          event(
            { id: `other-${number}`, email: `user${number}@customers.example` },
            `Failure ${number % 10}`,
          ),
        ]);
      }
      await until('the events of others', async () => (await count()) === 50);
      if (EVENTS > 50) await multiplyEvents(server.dataDir, EVENTS, () => {});
      // The person's own, of every kind, and texts of others that mention them.
      for (let number = 0; number < 20; number += 1) await send(dsn, itemsOf(number));
      await until('the events of the person', async () => (await count()) >= EVENTS + 40, {
        timeoutMs: 2 * MINUTE_MS,
      });
      const [issue] = await api.get<{ id: string }[]>('/api/0/organizations/main/issues/?query=Failure');
      const comment = { text: `Reported by ${EMAIL} (${ID})` };
      expect((await api.request('POST', `/api/0/issues/${issue!.id}/comments/`, comment)).status).toBe(201);
      log(`${await count()} events stored`);
      expect((await grep(server.dataDir)).length).toBeGreaterThan(0);

      const startedAt = performance.now();
      for (const point of DEATHS) writeFileSync(armed(point), '');
      const erased = await server.cli(['erase', '--email', EMAIL, '--id', ID, '--yes']);
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      log(`erased after ${seconds} s: ${erased.stdout}${erased.stderr}`);
      expect(erased.code).toBe(0);
      for (const point of DEATHS) expect([point, existsSync(armed(point))]).toEqual([point, false]);
      const certificate = JSON.parse(erased.stdout) as {
        removed: Record<string, number>;
        identifiers: unknown[];
      };
      expect(certificate.removed).toMatchObject({
        events: 60,
        transactions: 20,
        spans: 40,
        logs: 20,
        feedback: 20,
        attachments: 20,
        comments: 1,
        sessions: 20,
      });
      expect(erased.stdout).not.toMatch(new RegExp(`${EMAIL}|${ID}`));

      // Not hidden, but gone: rows that are only marked as deleted are read, too.
      for (const [table, text] of [
        ['events', 'payload'],
        ['transactions', 'payload'],
        ['feedback', 'payload'],
        ['logs', 'body'],
        ['event_values', 'value'],
      ]) {
        const rows = await ask<{ n: number }>(
          server.dataDir,
          `SELECT count() AS n FROM ${table} WHERE position(${text}, '${EMAIL}') > 0 OR position(${text}, '${ID}') > 0
           SETTINGS apply_deleted_mask = 0`,
        );
        expect([table, rows[0]?.n]).toEqual([table, 0]);
      }
      expect(await count()).toBeGreaterThanOrEqual(EVENTS);
      // Also while it runs; then everything that it still writes when it stops.
      expect(await grep(server.dataDir)).toEqual([]);
      await server.stop();
      expect(await grep(server.dataDir)).toEqual([]);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  },
  60 * MINUTE_MS,
);

type User = { id?: string; email?: string };

const seconds = () => Date.now() / 1_000;

const event = (user: User, message: string, rest: object = {}): EnvelopeItem => ({
  type: 'event',
  payload: JSON.stringify({
    event_id: newEventId(),
    timestamp: seconds(),
    platform: 'javascript',
    user,
    exception: {
      values: [
        { type: 'Error', value: message, stacktrace: { frames: [{ function: message.slice(0, 9) }] } },
      ],
    },
    ...rest,
  }),
});

/** Envelopes of one event each, as SDKs send them. */
function itemsOf(number: number): readonly EnvelopeItem[] {
  const ann = { id: ID, email: EMAIL };
  const traceId = newEventId();
  const own = event(ann, `Failure ${number % 10}`);
  const now = seconds();
  return [
    own,
    {
      type: 'attachment',
      payload: `a file of ${EMAIL}`,
      headers: { filename: 'notes.txt', content_type: 'text/plain' },
    },
    event({ id: 'other' }, `Failure ${number % 10}`, {
      breadcrumbs: { values: [{ timestamp: now, message: `invited ${EMAIL}` }] },
    }),
    {
      type: 'transaction',
      payload: JSON.stringify({
        event_id: newEventId(),
        type: 'transaction',
        transaction: 'GET /account',
        start_timestamp: now - 1,
        timestamp: now,
        user: ann,
        contexts: { trace: { trace_id: traceId, span_id: newSpanId(), op: 'http.server' } },
        spans: [
          { trace_id: traceId, span_id: newSpanId(), op: 'db', start_timestamp: now - 0.5, timestamp: now },
        ],
      }),
    },
    {
      type: 'log',
      payload: JSON.stringify({
        items: [{ timestamp: now, trace_id: traceId, level: 'info', body: `login of ${ID}`, attributes: {} }],
      }),
      headers: { item_count: 1, content_type: 'application/vnd.sentry.items.log+json' },
    },
    {
      type: 'feedback',
      payload: JSON.stringify({
        event_id: newEventId(),
        timestamp: now,
        contexts: { feedback: { message: 'It is broken', contact_email: EMAIL, name: 'Ann' } },
      }),
    },
    {
      type: 'session',
      payload: JSON.stringify({
        sid: newEventId(),
        did: ID,
        init: true,
        started: new Date().toISOString(),
        timestamp: new Date().toISOString(),
        status: 'ok',
        attrs: { release: 'shop@1.0.0' },
      }),
    },
  ];
}

/** One envelope for each event, since an envelope holds but one. */
async function send(dsn: ReturnType<typeof parseDsn>, items: readonly EnvelopeItem[]): Promise<void> {
  const groups: EnvelopeItem[][] = [];
  for (const item of items) {
    if (item.type === 'attachment') groups.at(-1)!.push(item);
    else groups.push([item]);
  }
  for (const group of groups) {
    const parsed = JSON.parse(String(group[0]!.payload)) as { event_id?: string };
    const header = { event_id: parsed.event_id ?? newEventId(), sent_at: new Date().toISOString() };
    const answer = await postEnvelope(dsn, buildEnvelope(header, group));
    expect([group[0]!.type, answer.status]).toEqual([group[0]!.type, 200]);
  }
}

async function ask<Row>(dataDir: string, sql: string): Promise<Row[]> {
  const { clickhouseUrl } = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as {
    clickhouseUrl: string;
  };
  const database = openClickhouse(clickhouseUrl);
  try {
    return await database.query<Row>(sql, {});
  } finally {
    await database.close();
  }
}

/** Files below the folder that hold the address or the ID, in either case. */
function grep(folder: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile('grep', ['-rlaiF', '-e', EMAIL, '-e', ID, folder], { maxBuffer: 1e8 }, (error, stdout) => {
      // 1: nothing found; 2: a file vanished while it was read.
      if (error && typeof error.code === 'number' && error.code > 2) reject(error);
      else resolve(stdout.split('\n').filter((line) => line !== ''));
    });
  });
}
