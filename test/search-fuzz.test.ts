import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import type { Project } from '#domain/projects.ts';
import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { createIssueSearch } from '#product/issues/store/search-issues.ts';
import { openIssueSearch } from '#product/search/open-issue-search.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import type { Database } from '#storage/sql/schema.ts';
import { IS_FULL } from './harness/is-full.ts';
import { MARK, randomSearch } from './harness/random-search.ts';
import { chooseSeed, seededRandom } from './harness/seeded-random.ts';

const SEARCHES = IS_FULL ? 30_000 : 100;
const ORGANIZATION_ID = 4_711;
const PROJECT_IDS = [8_151, 8_152];

/** What was sent to a store. */
type Statement = { sql: string; values: readonly unknown[] };

test(
  'any search compiles to statements that are scoped, bounded and have values in parameters only',
  async () => {
    const random = seededRandom(chooseSeed());
    const compiled = { searches: 0, postgres: 0, clickhouse: 0 };
    for (let round = 0; round < SEARCHES; round++) {
      const query = randomSearch(random);
      const { postgres, clickhouse } = await compile(query);
      compiled.searches += postgres.length > 0 ? 1 : 0;
      compiled.postgres += postgres.length;
      compiled.clickhouse += clickhouse.length;
      for (const statement of postgres) checkPostgres(query, statement);
      for (const statement of clickhouse) checkClickhouse(query, statement);
    }
    console.log(`${SEARCHES} searches: ${JSON.stringify(compiled)}`);
    expect(compiled.searches).toBeGreaterThan(SEARCHES / 10);
    expect(compiled.clickhouse).toBeGreaterThan(SEARCHES / 10);
  },
  20 * 60_000,
);

/** What the stores are sent for a search, of issues and of events; nothing for one that is refused. */
async function compile(query: string): Promise<{ postgres: Statement[]; clickhouse: Statement[] }> {
  const postgres: Statement[] = [];
  const clickhouse: Statement[] = [];
  const issues = createIssueSearch(recordingPostgres(postgres));
  const events = createEventStore(recordingClickhouse(clickhouse));
  const ctx = contextOver({ issues, events });
  await ignoringInvalid(query, async () => {
    const { expression } = await openIssueSearch(ctx, query, PROJECTS, { range: { fromMs: 1, toMs: 2 } });
    await issues.search(ORGANIZATION_ID, PROJECT_IDS, expression, { sort: 'date', limit: 25 });
  });
  await ignoringInvalid(query, async () => {
    const found = await openEventSearch(ctx, query, PROJECTS);
    const scope = { organizationId: ORGANIZATION_ID, projectIds: PROJECT_IDS };
    await events.listEvents(scope, { limit: 25, before: null, range: { fromMs: 1, toMs: 2 }, ...found });
  });
  return { postgres, clickhouse };
}

async function ignoringInvalid(query: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'invalid')
      throw new Error(`Fails for ${JSON.stringify(query)}`, { cause: error });
  }
}

function checkPostgres(query: string, { sql, values }: Statement): void {
  const about = JSON.stringify(query);
  expect(sql, about).not.toContain(MARK);
  expect(sql, about).toMatch(
    /where \(issues\.organization_id = \$\d+\s+AND issues\.project_id = ANY\(\$\d+::bigint\[\]\) AND /,
  );
  expect(sql, about).toMatch(/ limit \$\d+$/);
  expect(sql.slice(sql.indexOf('where')), about).not.toMatch(/--|;|\/\*/);
  expect(values, about).toContain(ORGANIZATION_ID);
  expect(values, about).toContainEqual(PROJECT_IDS);
}

function checkClickhouse(query: string, { sql, values }: Statement): void {
  const about = JSON.stringify(query);
  expect(sql, about).not.toContain(MARK);
  expect(sql.replace(/\s+/g, ' '), about).toContain(
    'WHERE organization_id = {organizationId:UInt64} AND project_id IN {projectIds0:Array(UInt64)} AND ',
  );
  expect(sql, about).toMatch(/LIMIT \{rows:UInt32\}/);
  if (query.trim() !== '')
    expect(sql, about).toMatch(/SETTINGS max_execution_time = \d+, max_memory_usage = \d+$/);
  expect(sql, about).not.toMatch(/--|;|\/\*/);
  expect(values, about).toContain(ORGANIZATION_ID);
  expect(values, about).toContainEqual(PROJECT_IDS);
}

const PROJECTS: readonly Project[] = PROJECT_IDS.map((id, index) => ({
  id,
  organizationId: ORGANIZATION_ID,
  slug: ['web', 'api'][index]!,
  name: 'A project',
  platform: null,
  isInternal: false,
  firstEventAt: null,
  createdAt: 0,
}));

/** Only what searches look up. */
function contextOver(stores: object): Context {
  const ctx = {
    stores: {
      accounts: { listMembers: async () => [{ id: 'ana', email: 'ana@example.com' }] },
      teams: { list: async () => [{ id: 3, slug: 'shop', memberIds: ['ana'] }] },
      searchNames: {
        listReleases: async () => [{ version: 'web@1.2.3', projectId: PROJECT_IDS[0], firstSeen: 1 }],
      },
      ...stores,
    },
    organization: { id: ORGANIZATION_ID, slug: 'main' },
    actor: { kind: 'user', userId: 'ana', name: 'Ana', role: 'member', isInstanceOwner: false },
    now: () => Date.UTC(2026, 2, 1),
    publicUrl: '',
  };
  Object.assign(ctx.stores, {
    issues: {
      findByShortId: async () => ({ id: 1, projectId: 8_151 }),
      listHashes: async () => new Map([[1, ['a'.repeat(32)]]]),
    },
  });
  return ctx as unknown as Context;
}

function recordingPostgres(statements: Statement[]): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      if (query.sql.startsWith('select')) statements.push({ sql: query.sql, values: query.parameters });
    },
  });
}

/** What the index of values answers, to whatever it is asked: then events are read. */
const CANDIDATE = {
  project_id: PROJECT_IDS[0],
  hash: 'a'.repeat(32),
  certain_on: -1,
  months: [[0, 1]],
  first_day: 0,
  bits: 1,
  hashes: ['a'.repeat(32)],
};

function recordingClickhouse(statements: Statement[]): ClickhouseDatabase {
  const query = async (sql: string, params: Readonly<Record<string, unknown>>) => {
    statements.push({ sql, values: Object.values(params) });
    return sql.includes('FROM event_values') ? [CANDIDATE] : [];
  };
  return { query } as unknown as ClickhouseDatabase;
}
