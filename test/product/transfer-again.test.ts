import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { saveRelease } from '#product/releases/save-release.ts';
import type { ImportOptions } from '#product/transfer/import/import-organization.ts';
import { type RecordOf, TRANSFER_RECORD, type TransferRecord } from '#product/transfer/records.ts';
import type { TransferSource } from '#product/transfer/transfer-source.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { openProduct, type Product } from './open-product.ts';
import { addMember, type Installation, listRecords, openInstallation, sourceOf } from './transfer-scene.ts';

let product: Product;
let installation: Installation;
/** An organization of its own for each test. */
let slug: string;
let organizationId: number;
let tests = 0;

beforeAll(async () => {
  product = await openProduct();
  installation = await openInstallation(product);
}, 120_000);
afterAll(async () => {
  await installation?.close();
  await product?.close();
});
beforeEach(async () => {
  tests += 1;
  slug = `again-${tests}`;
  ({ id: organizationId } = await product.stores.projects.createOrganization({ slug, name: slug }));
});

const BASE_MS = Date.now() - 20 * DAY_MS;
const at = (day: number): string => new Date(BASE_MS + day * DAY_MS).toISOString();
/** Of the organization of the test, so that no other test has it. */
const eventId = (number: number): string => `${tests}`.padStart(16, '0') + `${number}`.padStart(16, '0');

const organization = (): RecordOf<'organization'> => ({
  kind: 'organization',
  id: '1',
  slug,
  name: slug,
  isOpen: true,
});
const PROJECT: RecordOf<'project'> = {
  kind: 'project',
  id: '1',
  number: 4_711,
  slug: 'web',
  name: 'Web',
  platform: 'node',
  teams: [],
  keys: [],
  createdAt: null,
  fingerprintRules: null,
  stackTraceRules: null,
  ownershipRules: null,
};

const issue = (change: Partial<RecordOf<'issue'>> = {}): RecordOf<'issue'> => ({
  kind: 'issue',
  id: '7',
  project: '1',
  shortId: 'WEB-7',
  title: 'TypeError: it happened',
  culprit: 'pay',
  level: 'error',
  platform: 'node',
  type: 'error',
  metadata: { type: 'TypeError', value: 'it happened' },
  logger: null,
  status: 'unresolved',
  substatus: 'new',
  statusAt: null,
  resolution: null,
  archive: null,
  priority: null,
  assignee: null,
  firstSeen: at(0),
  lastSeen: at(1),
  timesSeen: 1,
  firstRelease: null,
  lastRelease: null,
  counts: [],
  activities: [],
  hashes: [],
  subscribers: [],
  bookmarkedBy: [],
  links: [],
  ...change,
});

/** Each function is a group of its own. */
const event = (number: number, inFunction = 'pay', ofIssue = '7'): RecordOf<'event'> => ({
  kind: 'event',
  id: eventId(number),
  project: '1',
  issue: ofIssue,
  receivedAt: at(1),
  payload: {
    platform: 'node',
    timestamp: Date.parse(at(1)) / 1_000,
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'it happened',
          stacktrace: {
            frames: [{ filename: `${inFunction}.js`, function: inFunction, lineno: 3, in_app: true }],
          },
        },
      ],
    },
  },
  attachments: [],
});

/** All that a source has, in the order in which it is read. */
const source = (...records: readonly TransferRecord[]) => sourceOf([organization(), PROJECT, ...records]);
const select = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await statement.execute(product.db)).rows;

describe('a batch', () => {
  test('is of at most 50 days, which are parts of their own on disk', async () => {
    const rows = Array.from({ length: 60 }, (_, day): TransferRecord => {
      const row = makeRow('logs', { organizationId: 1, projectId: 1, receivedAt: BASE_MS - day * DAY_MS });
      return { kind: 'row', project: '1', table: 'logs', row: { ...row }, file: null };
    });
    const { counts } = await installation.run({
      ...source(),
      async *read() {
        yield* [organization(), PROJECT, ...rows];
      },
    });
    expect(counts.row).toEqual({ created: 60 });
    const batches = await select(sql<{ count: number }>`
      SELECT count(*)::int AS count FROM transfer_items JOIN transfers ON transfers.id = transfer_id
      WHERE organization_id = ${organizationId} AND kind = 'row'`);
    expect(batches).toEqual([{ count: 2 }]);
  }, 60_000);
});

const listIssues = () =>
  select(sql<{ id: number; shortId: string; timesSeen: number; status: string }>`
    SELECT id::int, short_id AS "shortId", times_seen::int AS "timesSeen", status FROM issues
    WHERE organization_id = ${organizationId} ORDER BY id`);

describe('an issue that was made of its record', () => {
  test('is the one of the event that comes with a later run', async () => {
    await installation.run(source(issue({ timesSeen: 5 })));
    const [made] = await listIssues();
    const { counts } = await installation.run(source(event(1), issue({ timesSeen: 6, lastSeen: at(2) })));
    expect(counts.issue).toEqual({ unchanged: 1 });
    expect(await listIssues()).toEqual([
      { id: made!.id, shortId: 'WEB-7', timesSeen: 6, status: 'unresolved' },
    ]);
  }, 60_000);

  test('is noted as soon as it is made, so that no second one is made after a kill', async () => {
    const { transfers, issueImports, projects } = product.stores;
    const { project } = await projects.createProject({
      organizationId,
      slug: 'web',
      name: 'Web',
      platform: null,
      isInternal: false,
    });
    const transfer = await transfers.open(organizationId, source(), Date.now());
    await issueImports.noteRecord(transfer.id, project.id, issue());
    expect(
      await issueImports.create(organizationId, transfer.id, { projectId: project.id, record: issue() }),
    ).toBe(true);
    await installation.run(source(issue()));
    expect(await listIssues()).toHaveLength(1);
  }, 60_000);
});

test('an event that digest stored only after an import had stopped waiting for it belongs to its issue', async () => {
  await installation.run(source(event(1), issue()));
  const readNoted = () =>
    select(sql<{ target: string | null; hashes: string[] }>`
      SELECT item.target, issue.hashes FROM transfer_items item
      JOIN transfers ON transfers.id = item.transfer_id
      JOIN transfer_issues issue ON issue.transfer_id = item.transfer_id
      WHERE organization_id = ${organizationId} AND kind = 'event'`);
  const [noted] = await readNoted();
  // As an import leaves them that saw nothing of the event.
  await sql`
    UPDATE transfer_items SET target = NULL FROM transfers
    WHERE transfers.id = transfer_id AND organization_id = ${organizationId} AND kind = 'event'`.execute(
    product.db,
  );
  await sql`
    UPDATE transfer_issues SET hashes = '{}' FROM transfers
    WHERE transfers.id = transfer_id AND organization_id = ${organizationId}`.execute(product.db);
  const { counts } = await installation.run(source(event(1), issue()));
  expect(counts.event).toEqual({ created: 1 });
  expect(await readNoted()).toEqual([noted]);
  expect(noted).toEqual({ target: expect.any(String), hashes: [noted?.target] });
}, 60_000);

describe('an import that was stopped', () => {
  /** Tells where it is asked to go on, and is stopped after its first checkpoint if it is to be. */
  function resumable(isStopped: boolean): TransferSource & { asked: (string | null)[] } {
    const asked: (string | null)[] = [];
    return {
      ...source(),
      asked,
      async *read({ kinds, after }) {
        if (kinds.size > 1) asked.push(after);
        yield organization();
        yield PROJECT;
        yield { kind: 'checkpoint', cursor: 'here' };
        if (isStopped) throw new Error('The power is gone');
      },
    };
  }
  const stop = async (change: Partial<ImportOptions> = {}) => {
    await expect(installation.run(resumable(true), change)).rejects.toThrow('The power is gone');
  };
  const goOn = async (change: Partial<ImportOptions> = {}) => {
    const again = resumable(false);
    await installation.run(again, change);
    return again.asked;
  };

  test('goes on where it was', async () => {
    await stop();
    expect(await goOn()).toEqual(['here']);
  });

  test('begins anew when something else is asked, and for a dry run', async () => {
    await stop({ projects: new Set(['web']) });
    expect(await goOn({ isDryRun: true, projects: new Set(['web']) })).toEqual([null]);
    expect(await goOn()).toEqual([null]);
    await stop({ kinds: new Set(['environment', 'issue'] as const) });
    expect(await goOn({ fromMs: BASE_MS })).toEqual([null]);
  });

  test('begins anew in another organization', async () => {
    const other = `${slug}-other`;
    await product.stores.projects.createOrganization({ slug: other, name: other });
    await stop({ organization: other });
    expect(await goOn()).toEqual([null]);
    expect(await goOn({ organization: other })).toEqual(['here']);
  });
});

test('a repeat gives back no access that was taken away here, and gives what is new', async () => {
  const address = (name: string) => `${name}-${tests}@example.com`;
  const ada = await addMember(product, organizationId, {
    email: address('ada'),
    name: 'Ada',
    role: 'member',
  });
  const keyOf = (number: number) => eventId(number);
  const team = (...members: string[]): RecordOf<'team'> => ({
    kind: 'team',
    id: '3',
    slug: 'payments',
    name: 'Payments',
    members: members.map(address),
  });
  const project = (...keys: number[]): RecordOf<'project'> => ({
    ...PROJECT,
    teams: ['3'],
    keys: keys.map((key) => ({ publicKey: keyOf(key), label: null, isActive: true })),
  });
  const run = (...records: readonly TransferRecord[]) =>
    installation.run(sourceOf([organization(), ...records]));
  await run(team('ada', 'bob'), project(1));
  const listAccess = () =>
    select(sql<{ access: string }>`
      SELECT 'member ' || user_id AS access FROM team_members JOIN teams ON teams.id = team_id
        WHERE teams.organization_id = ${organizationId}
      UNION ALL SELECT 'project ' || projects.slug FROM project_teams JOIN projects ON projects.id = project_id
        WHERE projects.organization_id = ${organizationId}
      UNION ALL SELECT 'key ' || public_key FROM client_keys JOIN projects ON projects.id = project_id
        WHERE projects.organization_id = ${organizationId} AND public_key LIKE ${`${eventId(0).slice(0, 16)}%`}
      ORDER BY access`);
  expect(await listAccess()).toEqual(
    [`key ${keyOf(1)}`, `member ${ada}`, 'project web'].map((access) => ({ access })),
  );
  await sql`DELETE FROM team_members WHERE user_id = ${ada}`.execute(product.db);
  await sql`DELETE FROM client_keys WHERE public_key = ${keyOf(1)}`.execute(product.db);
  await sql`
    DELETE FROM project_teams USING projects
    WHERE projects.id = project_id AND projects.organization_id = ${organizationId}`.execute(product.db);
  const bob = await addMember(product, organizationId, {
    email: address('bob'),
    name: 'Bob',
    role: 'member',
  });
  await run(team('ada', 'bob'), project(1, 2));
  expect(await listAccess()).toEqual([`key ${keyOf(2)}`, `member ${bob}`].map((access) => ({ access })));
}, 60_000);

describe('what people did here meanwhile', () => {
  test('issues that they split stay apart, and events that are new in the source join', async () => {
    await installation.run(source(event(1), event(2, 'charge'), issue({ timesSeen: 2 })));
    const [{ id: issueId } = { id: 0 }, ...others] = await listIssues();
    expect(others).toEqual([]);
    const [hash] = await select(sql<{ hash: string }>`
      SELECT hash FROM grouping_hashes WHERE issue_id = ${issueId} ORDER BY hash LIMIT 1`);
    await product.stores.regroups.unmerge(
      organizationId,
      { issueId, hashes: [hash!.hash] },
      null,
      Date.now(),
    );
    const split = await listIssues();
    expect(split).toHaveLength(2);
    const again = source(event(1), event(2, 'charge'), event(3, 'refund'), issue({ timesSeen: 2 }));
    await installation.run(again);
    expect((await listIssues()).map(({ id, timesSeen }) => [id, timesSeen])).toEqual(
      split.map(({ id }) => [id, id === issueId ? 2 : 1]),
    );
  }, 60_000);

  test('an issue that they merged into another gets what is new in the source there', async () => {
    const other = issue({ id: '8', shortId: 'WEB-8' });
    await installation.run(source(event(1), event(2, 'charge', '8'), issue(), other));
    const [into, from] = await listIssues();
    await product.stores.regroups.merge(
      organizationId,
      { targetId: into!.id, issueIds: [from!.id] },
      null,
      Date.now(),
    );
    const links = [{ url: 'https://tracker.example.com/1', title: 'T-1' }];
    await installation.run(source(event(1), event(2, 'charge', '8'), issue(), { ...other, links }));
    const kept = await select(sql<{ issueId: number; title: string }>`
      SELECT issue_id::int AS "issueId", issue_links.title FROM issue_links JOIN issues ON issues.id = issue_id
      WHERE organization_id = ${organizationId}`);
    expect(kept).toEqual([{ issueId: into!.id, title: 'T-1' }]);
  }, 60_000);

  test('an issue that they resolved stays resolved while it is open in the source in whatever way', async () => {
    await installation.run(source(event(1), issue()));
    const resolve = () =>
      sql`
        UPDATE issues SET status = 'resolved', substatus = NULL, resolved_at = now(), resolution = '{"kind":"now"}',
          archive = NULL, archived_until = NULL, escalates_at_times_seen = NULL
        WHERE organization_id = ${organizationId}`.execute(product.db);
    await resolve();
    await installation.run(source(event(1), issue({ substatus: 'ongoing', statusAt: at(8) })));
    expect(await listIssues()).toMatchObject([{ status: 'resolved' }]);
    await installation.run(source(event(1), issue({ status: 'archived', substatus: 'archived_forever' })));
    expect(await listIssues()).toMatchObject([{ status: 'archived' }]);
    await resolve();
    await installation.run(source(event(1), issue()));
    expect(await listIssues()).toMatchObject([{ status: 'unresolved' }]);
  }, 60_000);
});

test('a comment by somebody who joins later is theirs after the next run, unless it was changed', async () => {
  const person = { email: `ann-${tests}@example.com`, name: 'Ann' };
  const comment = (id: string, day: number) => ({
    id,
    type: 'note' as const,
    person,
    at: at(day),
    data: { text: `comment ${id}` },
  });
  const assigned = {
    id: 'assigned',
    type: 'assigned' as const,
    person: null,
    at: at(5),
    data: { email: person.email },
  };
  const record = issue({ activities: [comment('one', 3), comment('two', 4), assigned] });
  await installation.run(source(record));
  const list = () =>
    select(sql<{ userId: string | null; text: string | null; assignee: string | null }>`
      SELECT user_id AS "userId", data ->> 'text' AS text, data ->> 'assigneeUserId' AS assignee
      FROM activities JOIN issues ON issues.id = issue_id
      WHERE organization_id = ${organizationId} ORDER BY at`);
  expect(await list()).toEqual([
    { userId: null, text: 'Ann:\n\ncomment one', assignee: null },
    { userId: null, text: 'Ann:\n\ncomment two', assignee: null },
    { userId: null, text: null, assignee: null },
  ]);
  await sql`UPDATE activities SET data = '{"text": "removed"}' FROM issues
    WHERE issues.id = issue_id AND organization_id = ${organizationId} AND data ->> 'text' LIKE '%two'`.execute(
    product.db,
  );
  const ann = await addMember(product, organizationId, { ...person, role: 'member' });
  await installation.run(source(record));
  expect(await list()).toEqual([
    { userId: ann, text: 'comment one', assignee: null },
    { userId: null, text: 'removed', assignee: null },
    { userId: null, text: null, assignee: ann },
  ]);
}, 60_000);

const openContext = async (): Promise<Context> => ({
  stores: product.stores,
  organization: (await product.stores.projects.findOrganization(slug))!,
  actor: { kind: 'system' },
  now: Date.now,
  publicUrl: 'https://old.example.com',
});

test('a release by an author whose address is none can be exported and read back', async () => {
  await product.stores.projects.createProject({
    organizationId,
    slug: 'web',
    name: 'Web',
    platform: null,
    isInternal: false,
  });
  const ctx = await openContext();
  const email = '49699333+dependabot[bot]@users.noreply.github.com';
  await saveRelease(ctx, {
    version: 'web@1.0.0',
    projectSlugs: ['web'],
    change: {},
    commits: [
      {
        id: 'abc',
        repository: 'shop/web',
        message: 'Bump',
        authorName: 'dependabot[bot]',
        authorEmail: email,
      },
    ],
  });
  const release = (await listRecords(ctx)).find((record) => record.kind === 'release')!;
  const author = { name: 'dependabot[bot]', email: null };
  expect(TRANSFER_RECORD.parse(release)).toMatchObject({ commits: [{ author }] });
  // As former versions wrote it.
  const former = {
    ...release,
    commits: release.commits.map((commit) => ({ ...commit, author: { ...author, email } })),
  };
  expect(TRANSFER_RECORD.parse(former)).toMatchObject({ commits: [{ author }] });
});

test('a release has the commits that are new in the source, but not once it was told others here', async () => {
  const release = (...ids: string[]): RecordOf<'release'> => ({
    kind: 'release',
    version: 'web@3.0.0',
    projects: ['1'],
    url: null,
    ref: null,
    firstSeen: null,
    createdAt: at(0),
    releasedAt: null,
    commits: ids.map((id) => ({
      id,
      repository: 'acme/web',
      message: id,
      author: null,
      at: at(0),
      files: [],
    })),
    deploys: [],
  });
  const listCommits = async () =>
    (
      await select(sql<{ key: string }>`
      SELECT commits.key FROM release_commits JOIN commits ON commits.id = commit_id
      JOIN releases ON releases.id = release_id
      WHERE releases.organization_id = ${organizationId} AND version = 'web@3.0.0' ORDER BY commits.key`)
    ).map(({ key }) => key);
  await installation.run(source(release('aaa')));
  expect(await listCommits()).toEqual(['aaa']);
  for (let run = 0; run < 2; run += 1) {
    const { counts } = await installation.run(source(release('aaa', 'bbb')));
    expect(counts.release).toEqual({ unchanged: 1 });
    expect(await listCommits()).toEqual(['aaa', 'bbb']);
  }
  const commits = [{ id: 'ccc', repository: 'acme/web' }];
  await saveRelease(await openContext(), { version: 'web@3.0.0', projectSlugs: [], change: {}, commits });
  await installation.run(source(release('aaa', 'bbb', 'ddd')));
  expect(await listCommits()).toEqual(['ccc']);
}, 60_000);

test('a release that is deployed on in the source has the new deploy here, once', async () => {
  const deploy = (finishedAt: string) => ({
    environment: 'production',
    name: null,
    url: null,
    startedAt: null,
    finishedAt,
  });
  const release = (...deploys: ReturnType<typeof deploy>[]): RecordOf<'release'> => ({
    kind: 'release',
    version: 'web@2.0.0',
    projects: ['1'],
    url: null,
    ref: null,
    firstSeen: null,
    createdAt: at(0),
    releasedAt: null,
    commits: [],
    deploys,
  });
  const countDeploys = () =>
    select(sql<{ count: number }>`
      SELECT count(*)::int AS count FROM deploys WHERE organization_id = ${organizationId}`);
  await installation.run(source(release(deploy(at(1)))));
  expect(await countDeploys()).toEqual([{ count: 1 }]);
  for (let run = 0; run < 2; run += 1) {
    const { counts } = await installation.run(source(release(deploy(at(1)), deploy(at(2)))));
    expect(counts.release).toEqual({ unchanged: 1 });
    expect(await countDeploys()).toEqual([{ count: 2 }]);
  }
}, 60_000);
