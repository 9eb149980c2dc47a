import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { isErrataError } from '#lib/errors.ts';
import { openGlitchtipSource } from '#product/transfer/sources/glitchtip/glitchtip-source.ts';
import { openForeignDatabase } from '#storage/foreign/open-foreign-database.ts';
import { createEmptyPostgres } from '../contract/engines.ts';
import { EVENTS, fillGlitchtip, type GlitchtipVersion, PUBLIC_KEY } from '../harness/glitchtip-database.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { openProduct } from './open-product.ts';
import { addMember, countRows, openInstallation } from './transfer-scene.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** The address of a new database of GlitchTip. */
async function createGlitchtip(version: GlitchtipVersion): Promise<string> {
  const { url, drop } = await createEmptyPostgres({ name: 'GlitchTip', url: inject('embeddedPostgresUrl') });
  opened.push({ close: drop });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await fillGlitchtip(client, version);
  } finally {
    await client.end();
  }
  return url;
}

async function openSource(url: string, organization: string | null = 'acme') {
  const database = await openForeignDatabase(url);
  opened.push(database);
  return openGlitchtipSource(database, { organization });
}

describe.each(IS_FULL ? ([5, 6] as const) : ([6] as const))('GlitchTip %i', (version) => {
  test('is imported with the same counts by project and issue, and once', async () => {
    const url = await createGlitchtip(version);
    const product = await openProduct();
    opened.push(product);
    const installation = await openInstallation(product);
    opened.push(installation);
    const { id } = await product.stores.projects.createOrganization({ slug: 'acme', name: 'Acme' });
    await addMember(product, id, { email: 'owner@example.com', name: 'Owner', role: 'owner' });

    const before = await countRows(product);
    const dry = await installation.run(await openSource(url), { isDryRun: true });
    expect(dry.counts.event).toEqual({ created: EVENTS + 2 });
    expect(await countRows(product)).toEqual(before);

    const report = await installation.run(await openSource(url));
    await installation.untilDigested();
    expect(report.notes.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(report.counts).toMatchObject({
      project: { created: 2 },
      member: { created: 3 },
      event: { created: EVENTS + 2 },
      issue: { created: 3 },
      release: { created: 1 },
      alert_rule: { created: 1 },
      monitor: { created: 1 },
      uptime_monitor: { created: 1 },
    });
    expect(report.counts.unmapped).toBeDefined();
    expect(await listIssues(product)).toEqual([
      { project: 'api', title: 'ValueError: bad', status: 'unresolved', times_seen: 1 },
      { project: 'web', title: 'Slow', status: 'archived', times_seen: 2 },
      { project: 'web', title: 'TypeError: x is undefined', status: 'resolved', times_seen: 500 },
    ]);
    const keys = await sql<{ slug: string }>`
      SELECT projects.slug FROM client_keys JOIN projects ON projects.id = client_keys.project_id
        WHERE client_keys.public_key = ${PUBLIC_KEY}`.execute(product.db);
    expect(keys.rows).toEqual([{ slug: 'web' }]);

    const again = await installation.run(await openSource(url));
    await installation.untilDigested();
    expect(again.counts.event?.created ?? 0).toBe(0);
    expect(again.counts.project?.created ?? 0).toBe(0);
    expect((await listIssues(product)).map(({ times_seen }) => times_seen)).toEqual([1, 2, 500]);
  }, 240_000);
});

const listIssues = async (product: Awaited<ReturnType<typeof openProduct>>) =>
  (
    await sql<{ project: string; title: string; status: string; times_seen: number }>`
      SELECT projects.slug AS project, issues.title, issues.status, issues.times_seen::int AS times_seen
        FROM issues JOIN projects ON projects.id = issues.project_id
        WHERE projects.slug IN ('web', 'api') ORDER BY projects.slug, issues.title`.execute(product.db)
  ).rows;

const failure = (opening: Promise<unknown>) =>
  opening.then(
    () => null,
    (error: unknown) => (isErrataError(error) ? `${error.code}: ${error.message}` : String(error)),
  );

test('what cannot be read is refused with the reason', async () => {
  const url = await createGlitchtip(5);
  expect(await failure(openSource(url, null))).toBe(
    'invalid: GlitchTip has more than one organization: choose one with --from (acme, other)',
  );
  expect(await failure(openSource(url, 'none'))).toMatch('has no organization none');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ALTER TABLE issue_events_issueevent RENAME TO events_event');
  expect(await failure(openSource(url))).toMatch(
    /^invalid: .*version of GlitchTip that is not supported, as issue_events_issueevent/,
  );
  await client.query('DROP TABLE organizations_ext_organization');
  expect(await failure(openSource(url))).toMatch('is not a database of GlitchTip');
  await client.end();
});

test('nothing is written into the database that is read', async () => {
  const database = await openForeignDatabase(await createGlitchtip(5));
  opened.push(database);
  expect(await failure(database.rows('DELETE FROM users_user', []))).toMatch(
    /^unavailable: .*read-only transaction/,
  );
});
