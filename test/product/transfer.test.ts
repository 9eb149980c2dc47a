import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFolderSource } from '#cli/transfer/folder-source.ts';
import { writeFolder } from '#cli/transfer/write-folder.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { createAlertRule } from '#product/alerts/change-alert-rules.ts';
import { addComment } from '#product/comments/comments.ts';
import type { Context } from '#product/context.ts';
import { createDashboard } from '#product/dashboards/dashboards.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { createMonitor } from '#product/monitors/change-monitors.ts';
import { createProject } from '#product/projects/create-project.ts';
import { saveRelease } from '#product/releases/save-release.ts';
import { createTeam, setTeamMember } from '#product/teams/teams.ts';
import { exportOrganization } from '#product/transfer/export/export-organization.ts';
import type { ImportReport } from '#product/transfer/import/import-report.ts';
import type { TransferRecord } from '#product/transfer/records.ts';
import { createUptimeMonitor } from '#product/uptime/uptime-monitors.ts';
import { blobKey } from '#protocol/blob-key.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { openProduct, type Product } from './open-product.ts';
import {
  addMember,
  countRows,
  everything,
  type Installation,
  listRecords,
  openInstallation,
  sourceOf,
  withoutNumbers,
} from './transfer-scene.ts';

/** An installation with data of every kind, exported once. */
let origin: { product: Product; installation: Installation; ctx: Context };
let records: readonly TransferRecord[];
let folder: string;
const opened: { close(): Promise<void> }[] = [];

async function open() {
  const product = await openProduct();
  const installation = await openInstallation(product);
  opened.unshift(installation, product);
  return { product, installation };
}

beforeAll(async () => {
  const { product, installation } = await open();
  const ctx = await fillOrganization(product, installation);
  origin = { product, installation, ctx };
  records = await listRecords(ctx);
  folder = join(mkdtempSync(join(tmpdir(), 'errata-export-')), 'shop');
  await writeFolder(
    folder,
    {
      source: { product: 'errata', version: null, url: 'https://old.example.com', organization: 'shop' },
      from: null,
      to: null,
    },
    exportOrganization(ctx, everything()),
    product.stores.blobs,
    Date.now,
  );
}, 120_000);
afterAll(async () => {
  for (const one of opened) await one.close();
  if (folder) rmSync(dirname(folder), { recursive: true, force: true });
});
const ADA = { email: 'ada@example.com', name: 'Ada Lovelace', role: 'owner' };
const BOB = { email: 'bob@example.com', name: 'Bob Noyce', role: 'member' };

async function fillOrganization(product: Product, installation: Installation): Promise<Context> {
  const organization = await product.stores.projects.createOrganization({ slug: 'shop', name: 'Web Shop' });
  const userId = await addMember(product, organization.id, ADA);
  const bobId = await addMember(product, organization.id, BOB);
  const ctx: Context = {
    stores: product.stores,
    organization,
    actor: { kind: 'user', userId, name: ADA.name, role: 'owner', isInstanceOwner: false },
    now: Date.now,
    publicUrl: 'https://old.example.com',
  };
  const team = await createTeam(ctx, { slug: 'payments', name: 'Payments' });
  await setTeamMember(ctx, { team: team.slug, userId: bobId, isMember: true });
  const { project } = await createProject(ctx, {
    slug: 'web',
    platform: 'node',
    team: 'payments',
    hasDefaultRules: false,
  });
  const key = await product.stores.projects.createKey(organization.id, project.id, 'Browser');
  const place = { organizationId: organization.id, projectId: project.id, keyId: key.id };
  await saveRelease(ctx, {
    version: 'web@1.0.0',
    projectSlugs: ['web'],
    change: { url: 'https://ci.example.com/1' },
    commits: [
      {
        id: 'abc123',
        repository: 'shop/web',
        message: 'Fix it',
        authorName: 'Ada',
        authorEmail: ADA.email,
        committedAt: Date.now() - DAY_MS,
      },
    ],
  });
  const base = Date.now() - 20 * DAY_MS;
  for (const [type, times] of [
    ['TypeError', 3],
    ['RangeError', 2],
    ['SyntaxError', 1],
    ['URIError', 1],
  ] as const) {
    for (let index = 0; index < times; index++) {
      const at = base + index * HOUR_MS;
      await installation.send(
        place,
        {
          platform: 'node',
          timestamp: at / 1000,
          release: 'web@1.0.0',
          environment: 'production',
          tags: { browser: 'Firefox' },
          user: { id: '7' },
          exception: {
            values: [
              {
                type,
                value: `${type} happened`,
                stacktrace: {
                  frames: [{ filename: `${type}.js`, function: 'pay', lineno: 3, in_app: true }],
                },
              },
            ],
          },
        },
        at + 1_000,
        type === 'TypeError' && index === 0 ? 'a log' : undefined,
      );
    }
  }
  await installation.untilDigested();
  const log = makeRow('logs', { organizationId: organization.id, projectId: project.id });
  const profile = {
    ...makeRow('profiles', { organizationId: organization.id, projectId: project.id }),
    blobKey: blobKey(NOON_MS, project.id, 'a-profile'),
  };
  await product.stores.blobs.put(profile.blobKey, Buffer.from('samples'));
  await product.stores.telemetry.insert({ logs: [log], profiles: [profile] }, 'transfer');
  const issues = await product.stores.exports.listIssues(organization.id, [project.id], 0, 10);
  const idOf = (type: string) => issues.find(({ title }) => title.startsWith(type))!.id;
  await updateIssues(ctx, { issueIds: [idOf('TypeError')], change: { assigneeUserId: bobId } });
  await updateIssues(ctx, {
    issueIds: [idOf('RangeError')],
    change: { status: 'resolved', resolution: { kind: 'next_release' } },
  });
  await updateIssues(ctx, {
    issueIds: [idOf('SyntaxError')],
    change: { status: 'archived', archive: { kind: 'events', count: 50, windowMinutes: null } },
  });
  await updateIssues(ctx, {
    issueIds: [idOf('URIError')],
    change: { assigneeTeamId: team.id, priority: 'low' },
  });
  await addComment(ctx, issues.find(({ id }) => id === idOf('TypeError'))!, { text: 'It is the *parser*' });
  await createAlertRule(ctx, {
    projectSlug: 'web',
    name: 'New issues',
    environment: null,
    owner: { kind: 'team', teamId: team.id },
    definition: {
      kind: 'issue',
      triggers: ['first_seen'],
      filters: [{ kind: 'assigned', to: { kind: 'team', teamId: team.id } }],
      filterMatch: 'all',
      frequencyMinutes: 30,
      receivers: [
        { kind: 'user', userId: bobId },
        { kind: 'team', teamId: team.id },
      ],
    },
  });
  await product.stores.savedSearches.create(
    organization.id,
    userId,
    { name: 'Mine', query: 'assigned:me', isShared: true, sort: 'freq' },
    Date.now(),
  );
  await createMonitor(ctx, {
    projectSlug: 'web',
    name: 'Nightly',
    slug: 'nightly',
    schedule: { type: 'crontab', value: '0 3 * * *' },
    timeZone: 'Europe/Vienna',
    owner: { kind: 'team', teamId: team.id },
  });
  await createUptimeMonitor(ctx, {
    projectSlug: 'web',
    name: 'Home',
    url: 'https://shop.example.com/',
    intervalSeconds: 300,
    environment: 'production',
    owner: null,
    isEnabled: true,
    headers: {},
    definition: {},
  });
  await createDashboard(ctx, {
    title: 'Overview',
    widgets: [{ id: 'a1', title: 'Errors', display: 'line', functions: ['count()'] }],
  });
  return ctx;
}

/** People who are there already, so that what was theirs can be given to them. */
async function prepareMembers(product: Product): Promise<void> {
  const organization = await product.stores.projects.createOrganization({ slug: 'shop', name: 'Web Shop' });
  await addMember(product, organization.id, ADA);
  await addMember(product, organization.id, BOB);
}

async function contextIn(product: Product): Promise<Context> {
  const organization = (await product.stores.projects.findOrganization('shop'))!;
  return { ...origin.ctx, stores: product.stores, organization, actor: { kind: 'system' } };
}

/** As an export tells it, whatever numbers it has here. */
const contentOf = async (product: Product) => withoutNumbers(await listRecords(await contextIn(product)));

describe('an organization with data of every kind', () => {
  let target: Awaited<ReturnType<typeof open>>;
  let report: ImportReport;

  beforeAll(async () => {
    target = await open();
    const { product, installation } = target;
    await prepareMembers(product);
    // Numbers here are others then.
    const other = await product.createOrganization();
    await product.createProject(other, 'first');
    await product.createProject(other, 'second');
    report = await installation.run(await openFolderSource(folder));
  }, 120_000);

  test('is the same in a fresh installation', async () => {
    expect(report.notes).toEqual([]);
    expect(report).toMatchObject({
      isComplete: true,
      counts: {
        event: { created: 7 },
        issue: { created: 4 },
        project: { created: 1 },
        member: { matched: 2 },
        row: { created: 2 },
      },
    });
    expect(await contentOf(target.product)).toEqual(withoutNumbers(records));
  });

  test('is imported without anybody being notified', async () => {
    const { product } = target;
    expect(await countRows(product)).toMatchObject({ issues: 4, outbox: 0, deliveries: 0 });
    // The same events are news where they were sent.
    expect((await countRows(origin.product)).outbox).toBeGreaterThan(0);
    const { rows: news } = await sql`SELECT * FROM activity_news`.execute(product.db);
    expect(news).toEqual([]);
  });

  test('keeps its keys, whose old DSNs name the project by its old number', async () => {
    const { product } = target;
    const project = records.find((record) => record.kind === 'project')!;
    const here = await product.stores.projects.findProject((await contextIn(product)).organization.id, 'web');
    expect(here?.id).not.toBe(project.number);
    for (const { publicKey } of project.keys) {
      expect(await product.stores.projects.findAdmission(publicKey)).toMatchObject({
        projectId: here!.id,
        formerProjectId: project.number,
        isActive: true,
      });
    }
  });

  test('has its telemetry with the files that it names', async () => {
    const { product } = target;
    const ctx = await contextIn(product);
    const project = (await product.stores.projects.findProject(ctx.organization.id, 'web'))!;
    const scope = { organizationId: ctx.organization.id, projectIds: [project.id] };
    const page = { limit: 10, before: null, range: null };
    const logs = await product.stores.telemetry.list('logs', scope, page);
    expect(logs.rows).toMatchObject([{ projectId: project.id }]);
    const profiles = await product.stores.telemetry.list('profiles', scope, page);
    const [{ blobKey: key } = { blobKey: '' }] = profiles.rows;
    expect(key).toBe(blobKey(NOON_MS, project.id, 'a-profile'));
    expect((await product.stores.blobs.readWhole(key, 100))?.toString()).toBe('samples');
  });

  test('is in an attachment what it was', async () => {
    const { product } = target;
    const event = (await listRecords(await contextIn(product))).find(
      (record) => record.kind === 'event' && record.attachments.length > 0,
    );
    if (event?.kind !== 'event') throw new Error('No event has an attachment');
    const key = event.attachments[0]!.file.path.slice('files/'.length);
    expect((await product.stores.blobs.readWhole(key, 100))?.toString()).toBe('a log');
  });

  test('is not changed by a second import', async () => {
    const { product, installation } = target;
    const rows = await countRows(product);
    const again = await installation.run(await openFolderSource(folder));
    expect(again.counts).toMatchObject({
      event: { unchanged: 7 },
      issue: { unchanged: 4 },
      row: { unchanged: 2 },
    });
    expect(await countRows(product)).toEqual(rows);
    expect(await contentOf(product)).toEqual(withoutNumbers(records));
  }, 120_000);
});

testInFull(
  'members who are not there are invited, and get what was theirs once they have joined',
  async () => {
    const { product, installation } = await open();
    const organization = await product.stores.projects.createOrganization({ slug: 'shop', name: 'Web Shop' });
    await addMember(product, organization.id, ADA);
    const report = await installation.run(sourceOf(withoutFiles()));
    expect(report.counts.member).toEqual({ matched: 1, created: 1 });
    expect((await countRows(product)).invitations).toBe(1);
    const before = await assignees(product);
    expect(before).not.toContain(BOB.email);
    await addMember(product, organization.id, BOB);
    await installation.run(sourceOf(withoutFiles()));
    expect(await assignees(product)).toContain(BOB.email);
  },
  120_000,
);

describe('an import that is stopped', () => {
  test.each(IS_FULL ? [3, 8, 12, 16] : [12])(
    'after %i records goes on where it was, to the same end',
    async (stopAt) => {
      const { product, installation } = await open();
      await prepareMembers(product);
      const stopped = installation.run(
        sourceOf(withoutFiles(), (index) => {
          if (index === stopAt) throw new Error('The power is gone');
        }),
      );
      await expect(stopped).rejects.toThrow('The power is gone');
      await installation.run(sourceOf(withoutFiles()));
      expect(await contentOf(product)).toEqual(withoutNumbers(withoutFiles()));
    },
    120_000,
  );
});

test('a dry run tells what would become of each record, and changes nothing', async () => {
  const { product, installation } = await open();
  const before = await countRows(product);
  const report = await installation.run(await openFolderSource(folder), { isDryRun: true });
  expect(await countRows(product)).toEqual(before);
  expect(report.counts).toMatchObject({
    organization: { created: 1 },
    project: { created: 1 },
    event: { created: 7 },
    issue: { created: 4 },
    alert_rule: { created: 1 },
  });
  expect(report.mapped).toContainEqual({
    kind: 'project',
    id: expect.any(String),
    name: 'web',
    target: null,
    result: 'created',
  });
}, 60_000);

test('a line that cannot be understood is named with its file and number, and the others are imported', async () => {
  const { installation } = await open();
  const broken = mkdtempSync(join(tmpdir(), 'errata-broken-'));
  for (const name of [
    'manifest.json',
    'organizations.ndjson',
    'members.ndjson',
    'projects.ndjson',
    'events.ndjson',
  ]) {
    writeFileSync(join(broken, name), readFileSync(join(folder, name)));
  }
  const manifest = JSON.parse(readFileSync(join(broken, 'manifest.json'), 'utf8')) as {
    files: { name: string }[];
  };
  manifest.files = manifest.files.filter(({ name }) => /^(organizations|members|projects|events)/.test(name));
  writeFileSync(join(broken, 'manifest.json'), JSON.stringify(manifest));
  const lines = readFileSync(join(broken, 'events.ndjson'), 'utf8').split('\n');
  lines[1] = '{"kind":"event","id":"nonsense"}';
  lines[3] = `${lines[3]!.slice(0, 40)}`;
  writeFileSync(join(broken, 'events.ndjson'), lines.join('\n'));
  const report = await installation.run(await openFolderSource(broken), { isDryRun: true });
  expect(report.counts.event?.created).toBe(5);
  expect(report.notes.filter(({ kind }) => kind === 'malformed').map(({ id }) => id)).toEqual([
    'events.ndjson:2',
    'events.ndjson:4',
    'events.ndjson',
  ]);
  rmSync(broken, { recursive: true, force: true });
}, 60_000);

test('issues without events keep counts, state and short ID, and several events of one issue become one', async () => {
  const { product, installation } = await open();
  await prepareMembers(product);
  const kept = withoutFiles().filter((record) => record.kind !== 'event');
  await installation.run(sourceOf(kept));
  const issues = await product.stores.exports.listIssues(
    (await contextIn(product)).organization.id,
    [(await product.stores.projects.listProjects((await contextIn(product)).organization.id))[0]!.id],
    0,
    10,
  );
  const expected = records.flatMap((record) =>
    record.kind === 'issue' ? [[record.shortId, record.status, record.timesSeen]] : [],
  );
  expect(issues.map(({ shortId, status, timesSeen }) => [shortId, status, timesSeen]).sort()).toEqual(
    expected.sort(),
  );
}, 60_000);

testInFull(
  'an event of the source that comes later counts, and does not reopen its issue',
  async () => {
    const { product, installation } = await open();
    await prepareMembers(product);
    await installation.run(sourceOf(withoutFiles()));
    const resolved = records.find((record) => record.kind === 'issue' && record.status === 'resolved')!;
    const event = withoutFiles().find(
      (record) =>
        record.kind === 'event' &&
        'issue' in record &&
        record.issue === ('id' in resolved ? resolved.id : ''),
    )!;
    const later: TransferRecord = {
      ...event,
      id: 'ab'.repeat(16),
      receivedAt: new Date().toISOString(),
    } as TransferRecord;
    const { counts } = await installation.run(sourceOf([...withoutFiles(), later]), { rate: 5 });
    expect(counts.event).toEqual({ created: 1, unchanged: 7 });
    const issues = (await listRecords(await contextIn(product))).filter(({ kind }) => kind === 'issue');
    expect(issues).toContainEqual(
      expect.objectContaining({
        title: (resolved as { title: string }).title,
        status: 'resolved',
        timesSeen: 3,
      }),
    );
  },
  120_000,
);

test('a closed organization is made closed', async () => {
  const { product, installation } = await open();
  const other = await product.createOrganization();
  const { userId } = await product.join(other, 'owner');
  await sql`UPDATE users SET is_instance_owner = true WHERE id = ${userId}`.execute(product.db);
  const [first] = records.flatMap((record) => (record.kind === 'organization' ? [record] : []));
  await installation.run(sourceOf([{ ...first!, isOpen: false }]));
  expect((await product.stores.projects.findOrganization('shop'))?.isOpen).toBe(false);
}, 60_000);

testInFull(
  'an issue that was deleted here does not end a later import',
  async () => {
    const { product, installation } = await open();
    await prepareMembers(product);
    await installation.run(sourceOf(withoutFiles()));
    await sql`DELETE FROM issues WHERE title LIKE 'TypeError%'`.execute(product.db);
    const changed = withoutFiles().map((record) =>
      record.kind === 'issue' ? { ...record, links: [{ url: 'https://t.example/1', title: 'T-1' }] } : record,
    );
    const report = await installation.run(sourceOf(changed));
    expect(report.isComplete).toBe(true);
  },
  60_000,
);

testInFull(
  'issues that were merged in the source are one here',
  async () => {
    const { product, installation } = await open();
    await prepareMembers(product);
    const found = withoutFiles().flatMap((record) => (record.kind === 'issue' ? [record] : []));
    const [into, from] = [
      found.find(({ title }) => title.startsWith('TypeError'))!,
      found.find(({ title }) => title.startsWith('URIError'))!,
    ];
    const merged = withoutFiles()
      .filter((record) => record !== from)
      .map((record) =>
        record.kind === 'event' && record.issue === from.id ? { ...record, issue: into.id } : record,
      );
    const report = await installation.run(sourceOf(merged));
    expect(report.counts.issue).toEqual({ created: 3 });
    const ctx = await contextIn(product);
    const issues = (await listRecords(ctx)).flatMap((record) => (record.kind === 'issue' ? [record] : []));
    expect(issues).toHaveLength(3);
    expect(issues.find(({ shortId }) => shortId === into.shortId)).toMatchObject({ timesSeen: 4 });
  },
  60_000,
);

const withoutFiles = (): TransferRecord[] =>
  records.flatMap((record): TransferRecord[] => {
    if (record.kind === 'event') return [{ ...record, attachments: [] }];
    return record.kind === 'row' ? [{ ...record, file: null }] : [record];
  });

async function assignees(product: Product): Promise<readonly (string | null)[]> {
  const { rows } = await sql<{ email: string | null }>`
    SELECT users.email FROM issues LEFT JOIN users ON users.id = assignee_user_id`.execute(product.db);
  return rows.map(({ email }) => email);
}
