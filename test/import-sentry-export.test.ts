import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isErrataError } from '#lib/errors.ts';
import { TRANSFER_KINDS, TRANSFER_RECORD } from '#product/transfer/records.ts';
import { openSentryExport } from '#product/transfer/sources/sentry/export-source.ts';
import type { TransferItem } from '#product/transfer/transfer-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'errata-sentry-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row = (model: string, pk: number, fields: object) => ({ model: `sentry.${model}`, pk, fields });

/** As `sentry export organizations` writes it, of two organizations. */
const EXPORT = [
  row('option', 1, { key: 'mail.host', value: '"smtp"' }),
  row('organization', 1, {
    slug: 'acme',
    name: 'Acme',
    status: 0,
    flags: '1',
    date_added: '2023-01-01T00:00:00.000Z',
  }),
  row('organization', 2, {
    slug: 'other',
    name: 'Other',
    status: 0,
    flags: '0',
    date_added: '2023-01-01T00:00:00.000Z',
  }),
  row('user', 7, {
    username: 'ada',
    email: 'ada@acme.example',
    name: 'Ada',
    password: 'pbkdf2_sha256$secret',
  }),
  row('user', 8, { username: 'admin@localhost', email: 'admin@localhost', name: '' }),
  row('organizationmember', 11, {
    organization: 1,
    user_id: 7,
    role: 'owner',
    email: null,
    user_email: 'ada@acme.example',
  }),
  row('organizationmember', 12, {
    organization: 1,
    user_id: 8,
    role: 'member',
    email: null,
    user_email: 'admin@localhost',
  }),
  row('organizationmember', 13, {
    organization: 1,
    user_id: null,
    role: 'admin',
    email: 'new@acme.example',
    user_email: null,
  }),
  row('organizationmember', 14, {
    organization: 2,
    user_id: 7,
    role: 'member',
    email: null,
    user_email: 'ada@acme.example',
  }),
  row('project', 41, {
    organization: 1,
    slug: 'web',
    name: 'Web',
    status: 0,
    platform: 'javascript',
    date_added: '2023-01-01T00:00:00.000Z',
  }),
  row('project', 42, { organization: 1, slug: 'gone', name: 'Gone', status: 2, platform: null }),
  row('project', 43, { organization: 2, slug: 'api', name: 'API', status: 0, platform: null }),
  row('projectkey', 1, {
    project: 41,
    label: 'Default',
    public_key: 'a'.repeat(32),
    secret_key: 'b'.repeat(32),
    status: 0,
  }),
  row('projectkey', 2, {
    project: 41,
    label: 'Old',
    public_key: 'c'.repeat(32),
    secret_key: 'd'.repeat(32),
    status: 1,
  }),
  row('projectkey', 3, { project: 43, label: 'Default', public_key: 'e'.repeat(32), status: 0 }),
  // Teams may come after what names them.
  row('team', 21, { organization: 1, slug: 'backend', name: 'Backend', status: 0 }),
  row('projectteam', 1, { project: 41, team: 21 }),
  row('organizationmemberteam', 1, { organizationmember: 11, team: 21, is_active: true }),
  row('organizationmemberteam', 2, { organizationmember: 13, team: 21, is_active: false }),
  row('projectownership', 1, { project: 41, raw: 'path:src/* #backend', is_active: true }),
  row('projectoption', 1, { project: 41, key: 'sentry:fingerprinting_rules', value: '"type:A -> a"' }),
  row('environment', 5, { organization_id: 1, name: 'production' }),
  row('environmentproject', 1, { project: 41, environment: 5, is_hidden: false }),
  row('rule', 71, {
    project: 41,
    label: 'New issues',
    environment_id: 5,
    status: 0,
    owner_team_id: 21,
    data: JSON.stringify({
      conditions: [
        { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' },
        { id: 'sentry.rules.filters.level.LevelFilter', match: 'gte', level: '40' },
      ],
      actions: [
        {
          id: 'sentry.mail.actions.NotifyEmailAction',
          targetType: 'IssueOwners',
          fallthroughType: 'ActiveMembers',
        },
      ],
      action_match: 'all',
      filter_match: 'all',
      frequency: 60,
    }),
  }),
  row('snubaquery', 61, {
    aggregate: 'count()',
    dataset: 'events',
    query: 'level:error',
    time_window: 600,
    environment: null,
  }),
  row('querysubscription', 1, { project: 41, snuba_query: 61 }),
  row('alertrule', 81, {
    organization: 1,
    snuba_query: 61,
    name: 'Many',
    status: 0,
    threshold_type: 0,
    resolve_threshold: null,
    comparison_delta: null,
  }),
  row('alertrule', 82, { organization: 1, snuba_query: 61, name: 'Before', status: 4, threshold_type: 0 }),
  row('alertruletrigger', 1, { alert_rule: 81, label: 'critical', alert_threshold: 100.0 }),
  row('alertruletriggeraction', 1, {
    alert_rule_trigger: 1,
    type: 0,
    target_type: 1,
    target_identifier: '7',
    target_display: null,
  }),
  row('savedsearch', 91, {
    organization: 1,
    type: 0,
    name: 'Mine',
    query: 'is:unresolved',
    sort: 'date',
    visibility: 'owner',
    owner_id: 7,
  }),
  row('monitor', 95, {
    organization_id: 1,
    project_id: 41,
    slug: 'nightly',
    name: 'Nightly',
    status: 0,
    config: { schedule_type: 2, schedule: [1, 'day'], timezone: 'UTC' },
  }),
  row('dashboard', 6, { organization: 1, title: 'Ours' }),
  row('apitoken', 1, { token: 'sntry_hidden' }),
];

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content, null, 2));
  return file;
}

async function read(file: string, organization: string | null): Promise<TransferItem[]> {
  const source = await openSentryExport(file, { organization });
  const items: TransferItem[] = [];
  for await (const item of source.read({
    kinds: new Set(TRANSFER_KINDS),
    fromMs: 0,
    toMs: Number.MAX_SAFE_INTEGER,
    projects: null,
    after: null,
    listImported: async () => new Set(),
    progress: () => {},
    signal: new AbortController().signal,
  })) {
    if (item.kind !== 'checkpoint' && item.kind !== 'malformed') TRANSFER_RECORD.parse(item);
    items.push(item);
  }
  return items;
}

const of = <Kind extends TransferItem['kind']>(items: readonly TransferItem[], kind: Kind) =>
  items.filter((item): item is Extract<TransferItem, { kind: Kind }> => item.kind === kind);

test('one organization of an export, with the keys of its DSNs', async () => {
  const items = await read(write('export.json', EXPORT), 'acme');
  expect(of(items, 'organization')).toMatchObject([{ id: '1', slug: 'acme', isOpen: true }]);
  expect(of(items, 'member').map(({ email, name, role }) => [email, name, role])).toEqual([
    ['ada@acme.example', 'Ada', 'owner'],
    ['new@acme.example', null, 'admin'],
  ]);
  expect(of(items, 'team')).toMatchObject([{ id: '21', members: ['ada@acme.example'] }]);
  expect(of(items, 'project')).toMatchObject([
    {
      number: 41,
      slug: 'web',
      teams: ['21'],
      keys: [
        { publicKey: 'a'.repeat(32), isActive: true },
        { publicKey: 'c'.repeat(32), isActive: false },
      ],
      ownershipRules: 'path:src/* #backend',
      fingerprintRules: 'type:A -> a',
    },
  ]);
  expect(of(items, 'environment')).toMatchObject([{ project: '41', name: 'production' }]);
  expect(of(items, 'alert_rule')).toMatchObject([
    {
      id: '71',
      name: 'New issues',
      environment: 'production',
      owner: { kind: 'team', team: '21' },
      definition: {
        triggers: ['first_seen'],
        filters: [{ kind: 'level', level: 'error' }],
        frequencyMinutes: 60,
        receivers: [{ kind: 'owners', otherwise: 'members' }],
      },
    },
    {
      id: 'metric-81',
      definition: {
        windowMinutes: 10,
        critical: 100,
        receivers: [{ kind: 'user', email: 'ada@acme.example' }],
      },
    },
  ]);
  expect(of(items, 'saved_search')).toMatchObject([
    { name: 'Mine', owner: 'ada@acme.example', isShared: false },
  ]);
  expect(of(items, 'monitor')).toMatchObject([
    { slug: 'nightly', schedule: { type: 'interval', value: 1, unit: 'day' } },
  ]);
  expect(of(items, 'unmapped').map(({ id }) => id)).toEqual([
    '12',
    'sentry.dashboard',
    'sentry.apitoken',
    'issues',
  ]);
  expect(JSON.stringify(items)).not.toMatch(/pbkdf2|sntry_hidden|b{32}|d{32}/);
});

const failure = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: unknown) => (isErrataError(error) ? `${error.code}: ${error.message}` : String(error)),
  );

test('an organization has to be named where there are several, and to be there', async () => {
  const file = write('two.json', EXPORT);
  expect(await failure(read(file, null))).toBe(
    'invalid: The file has more than one organization: choose one with --from (acme, other)',
  );
  expect(await failure(read(file, 'none'))).toMatch('has no organization none');
  expect(await failure(read(join(folder, 'absent.json'), null))).toMatch(/^invalid: .*cannot be read/);
  expect(await failure(read(write('object.json', { a: 1 }), null))).toMatch(
    /^invalid: The file is not a list/,
  );
  expect(await failure(read(write('else.json', [{ a: 1 }]), null))).toMatch('is not an export of Sentry');
});

/** Real exports, such as the fixtures of Sentry itself in fixtures/backup. */
const exports = process.env.ERRATA_TEST_SENTRY_EXPORTS;
const files = exports ? readdirSync(exports).filter((name) => name.endsWith('.json')) : [];

test.skipIf(files.length === 0)(
  'each organization of the exports of ERRATA_TEST_SENTRY_EXPORTS',
  async () => {
    for (const name of files) {
      const file = join(exports ?? '', name);
      const named = (await failure(read(file, null))) ?? '';
      // No organization at all, one, or several that the message lists.
      const slugs = /\(([^)]*)\)$/.exec(named)?.[1]?.split(', ').filter(Boolean) ?? [];
      for (const slug of slugs) {
        const items = await read(file, slug);
        expect(of(items, 'organization'), name).toMatchObject([{ slug }]);
        expect(of(items, 'malformed'), name).toEqual([]);
      }
    }
  },
);
