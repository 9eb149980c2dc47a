import type pg from 'pg';

const AT = "timestamptz '2026-11-20 10:00:00Z'";
const USER = '(SELECT id FROM users LIMIT 1)';
const ORGANIZATION = '(SELECT min(id) FROM organizations)';
const PROJECT = "(SELECT id FROM projects WHERE slug = 'default')";
const ISSUE = '(SELECT min(id) FROM issues)';

/** What people leave in a table, in the columns that it had from the beginning. In an order that keys allow. */
const ROWS: readonly { table: string; columns: string; values: string }[] = [
  {
    table: 'quotas',
    columns: 'organization_id, project_id, categories, item_limit, window_seconds',
    values: `${ORGANIZATION}, ${PROJECT}, ARRAY['error'], 1000000, 3600`,
  },
  { table: 'teams', columns: 'organization_id, slug, name', values: `${ORGANIZATION}, 'shop', 'Shop'` },
  { table: 'team_members', columns: 'team_id, user_id', values: `(SELECT min(id) FROM teams), ${USER}` },
  { table: 'issue_bookmarks', columns: 'issue_id, user_id', values: `${ISSUE}, ${USER}` },
  {
    table: 'issue_subscriptions',
    columns: 'issue_id, user_id, is_subscribed, reason',
    values: `${ISSUE}, ${USER}, true, 'comment'`,
  },
  {
    table: 'issue_links',
    columns: 'issue_id, url, title, created_by, created_at',
    values: `${ISSUE}, 'https://tracker.example.com/1', 'One', ${USER}, ${AT}`,
  },
  {
    table: 'ownership_rules',
    columns: 'project_id, rules, updated_by, updated_at',
    values: `${PROJECT}, 'path:src/* ada@example.com', ${USER}, ${AT}`,
  },
  {
    table: 'saved_searches',
    columns: 'organization_id, user_id, name, query, sort, is_shared',
    values: `${ORGANIZATION}, ${USER}, 'Mine', 'is:unresolved', 'date', false`,
  },
  {
    table: 'grouping_rules',
    columns: 'project_id, version, fingerprint, stack_trace, author_user_id, created_at',
    values: `${PROJECT}, 1, 'message:"x*" -> x', '', ${USER}, ${AT}`,
  },
  {
    table: 'invitations',
    columns: 'organization_id, email, role, team_ids, token_hash, invited_by, created_at, expires_at',
    values: `${ORGANIZATION}, 'grace@example.com', 'member', '{}', sha256('invitation'), ${USER}, ${AT}, ${AT}`,
  },
  {
    table: 'organization_tokens',
    columns: 'organization_id, name, scopes, token_hash, last_characters, created_by, created_at',
    values: `${ORGANIZATION}, 'Uploads', ARRAY['org:ci'], sha256('token'), 'abcd', ${USER}, ${AT}`,
  },
  {
    table: 'audit_entries',
    columns:
      'organization_id, at, action, actor_kind, actor_user_id, actor_name, target_kind, target_name, data',
    values: `${ORGANIZATION}, ${AT}, 'org.edit', 'user', ${USER}, 'ada', 'organization', 'main', '{}'`,
  },
  {
    table: 'repositories',
    columns: 'organization_id, name, provider, url, created_at',
    values: `${ORGANIZATION}, 'shop/web', 'github', 'https://github.com/shop/web', ${AT}`,
  },
  {
    table: 'commits',
    columns: 'organization_id, repository_id, key, message, author_email, committed_at',
    values: `${ORGANIZATION}, (SELECT min(id) FROM repositories), 'c0ffee', 'Mend the cart', 'ada@example.com', ${AT}`,
  },
  {
    table: 'deploys',
    columns: 'organization_id, release_id, environment, name, finished_at',
    values: `${ORGANIZATION}, (SELECT min(id) FROM releases), 'production', 'first', ${AT}`,
  },
  {
    table: 'destinations',
    columns: 'organization_id, kind, name, secret, created_by, created_at',
    values: `${ORGANIZATION}, 'webhook', 'Hook', 'sealed', ${USER}, ${AT}`,
  },
  {
    table: 'alert_rules',
    columns:
      'organization_id, project_id, kind, name, definition, created_by, created_at, updated_at, is_enabled',
    values: `${ORGANIZATION}, ${PROJECT}, 'issue', 'Mine', '{}', ${USER}, ${AT}, ${AT}, false`,
  },
  {
    table: 'alert_firings',
    columns: 'organization_id, project_id, rule_id, issue_id, cause, fired_at',
    values: `${ORGANIZATION}, ${PROJECT}, (SELECT min(id) FROM alert_rules), ${ISSUE}, 'first_seen', ${AT}`,
  },
  {
    table: 'deliveries',
    columns: 'id, organization_id, kind, destination_id, state, due_at, created_at, done_at',
    values: `gen_random_uuid(), ${ORGANIZATION}, 'test', (SELECT min(id) FROM destinations), 'sent', ${AT}, ${AT}, ${AT}`,
  },
  {
    table: 'trackers',
    columns: 'organization_id, kind, name, url, account, token, hook_secret, created_by, created_at',
    values: `${ORGANIZATION}, 'github', 'GitHub', 'https://github.com', 'shop', 'sealed', 'sealed', ${USER}, ${AT}`,
  },
  {
    table: 'dashboards',
    columns:
      'organization_id, title, description, widgets, variables, filters, created_by, created_at, updated_at',
    values: `${ORGANIZATION}, 'Shop', '', '[]', '[]', '{}', ${USER}, ${AT}, ${AT}`,
  },
  {
    table: 'status_pages',
    columns: 'organization_id, slug, title, updated_at',
    values: `${ORGANIZATION}, 'shop', 'Shop', ${AT}`,
  },
  { table: 'feedback_forms', columns: 'project_id, token, created_at', values: `${PROJECT}, 'token', ${AT}` },
  {
    table: 'backup_runs',
    columns: 'origin, state, folder, created_at, backup_id, moment_at',
    values: `'command', 'done', '/backups', ${AT}, 'former', ${AT}`,
  },
];

/** Adds them where the table is there and empty. */
export async function addPeopleRows(pool: pg.Pool): Promise<void> {
  for (const { table, columns, values } of ROWS) {
    const { rows } = await pool.query<{ isThere: boolean }>(
      `SELECT to_regclass($1) IS NOT NULL AS "isThere"`,
      [table],
    );
    if (!rows[0]?.isThere) continue;
    await pool.query(
      `INSERT INTO ${table} (${columns}) SELECT ${values} WHERE NOT EXISTS (SELECT FROM ${table})`,
    );
  }
}
