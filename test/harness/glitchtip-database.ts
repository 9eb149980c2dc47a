import type { Client } from 'pg';

/**
 * Tables of GlitchTip as its migrations leave them, with the columns that an import could read. Version 5 keeps the state of an
 * issue with it, and events under the client's ID; 6 moves what changes with each event into a table of its own, gives
 * events IDs of version 7, and has assignees.
 * Source: apps/…/models.py and migrations of https://gitlab.com/glitchtip/glitchtip-backend
 */
export type GlitchtipVersion = 5 | 6;

const COMMON = `
  CREATE TABLE django_migrations (id serial PRIMARY KEY, app text, name text, applied timestamptz);
  CREATE TABLE organizations_ext_organization (id serial PRIMARY KEY, name text, slug text UNIQUE, open_membership boolean NOT NULL DEFAULT true, created timestamptz DEFAULT now());
  CREATE TABLE users_user (id bigserial PRIMARY KEY, email text UNIQUE, name text, password text);
  CREATE TABLE organizations_ext_organizationuser (id bigserial PRIMARY KEY, organization_id integer, user_id bigint, role smallint, email text);
  CREATE TABLE teams_team (id bigserial PRIMARY KEY, slug text, organization_id integer, created timestamptz DEFAULT now());
  CREATE TABLE teams_team_members (id serial PRIMARY KEY, team_id bigint, organizationuser_id bigint);
  CREATE TABLE projects_project (id bigserial PRIMARY KEY, slug text, name text, platform text, organization_id integer, is_deleted boolean NOT NULL DEFAULT false, created timestamptz DEFAULT now());
  CREATE TABLE teams_team_projects (id serial PRIMARY KEY, team_id bigint, project_id bigint);
  CREATE TABLE environments_environment (id bigserial PRIMARY KEY, organization_id integer, name text, created timestamptz DEFAULT now());
  CREATE TABLE environments_environmentproject (id bigserial PRIMARY KEY, project_id bigint, environment_id bigint, is_hidden boolean, created timestamptz DEFAULT now());
  CREATE TABLE releases_release (id bigserial PRIMARY KEY, organization_id integer, version text, ref text, url text, released timestamptz, created timestamptz DEFAULT now());
  CREATE TABLE releases_release_projects (id bigserial PRIMARY KEY, release_id bigint, project_id bigint);
  CREATE TABLE issue_events_comment (id bigserial PRIMARY KEY, issue_id bigint, user_id bigint, text text, created timestamptz);
  CREATE TABLE issue_events_issueaggregate (issue_id bigint, organization_id integer, date timestamptz, count integer);
  CREATE TABLE issue_events_userreport (id bigserial PRIMARY KEY, project_id bigint, comments text);
  CREATE TABLE alerts_projectalert (id bigserial PRIMARY KEY, name text NOT NULL DEFAULT '', project_id bigint, timespan_minutes smallint, quantity smallint, uptime boolean NOT NULL DEFAULT false);
  CREATE TABLE alerts_alertrecipient (id bigserial PRIMARY KEY, alert_id bigint, recipient_type text, url text NOT NULL DEFAULT '');
  CREATE TABLE uptime_monitor (id bigserial PRIMARY KEY, organization_id integer, project_id bigint, environment_id bigint, monitor_type text, name text, url text NOT NULL DEFAULT '', interval integer, timeout smallint, expected_status smallint, expected_body text NOT NULL DEFAULT '');
`;

const TABLES: Readonly<Record<GlitchtipVersion, string>> = {
  5: `
    CREATE TABLE projects_projectkey (id bigserial PRIMARY KEY, project_id bigint, label text, public_key uuid, created timestamptz DEFAULT now());
    CREATE TABLE issue_events_issue (id bigserial PRIMARY KEY, project_id bigint, short_id integer, title text, culprit text, metadata jsonb, type smallint, level smallint, status smallint, count integer, first_seen timestamptz, last_seen timestamptz, is_deleted boolean NOT NULL DEFAULT false);
    CREATE TABLE issue_events_issueevent (id uuid, issue_id bigint, type smallint, timestamp timestamptz, received timestamptz, title text, transaction text, level smallint, data jsonb, hashes text[] DEFAULT '{}', tags jsonb, release_id bigint) PARTITION BY RANGE (received);
    CREATE TABLE issue_events_issueevent_default PARTITION OF issue_events_issueevent DEFAULT;
  `,
  6: `
    CREATE TABLE projects_projectkey (id bigserial PRIMARY KEY, project_id bigint, name text, is_active boolean NOT NULL DEFAULT true, public_key uuid, created timestamptz DEFAULT now());
    CREATE TABLE issue_events_issue (id bigserial PRIMARY KEY, project_id bigint, short_id integer, title text, culprit text, metadata jsonb, type smallint, first_seen timestamptz, is_deleted boolean NOT NULL DEFAULT false, first_release_id bigint, resolved_in_release_id bigint, assigned_to_org_user_id bigint, assigned_to_team_id bigint);
    CREATE TABLE issue_events_issueindex (issue_id bigint, organization_id integer, last_release_id bigint, last_seen timestamptz, count integer, status smallint, level smallint, PRIMARY KEY (issue_id, organization_id)) PARTITION BY HASH (organization_id);
    CREATE TABLE issue_events_issueindex_0 PARTITION OF issue_events_issueindex FOR VALUES WITH (MODULUS 1, REMAINDER 0);
    CREATE TABLE issue_events_issueevent (id uuid, event_id uuid, issue_id bigint, organization_id bigint, type smallint, timestamp timestamptz, title text, transaction text, level smallint, data jsonb, hashes text[] DEFAULT '{}', tags jsonb, release_id bigint, PRIMARY KEY (id, organization_id)) PARTITION BY RANGE (id);
    CREATE TABLE issue_events_issueevent_default PARTITION OF issue_events_issueevent DEFAULT;
  `,
};

export const PUBLIC_KEY = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
/** Of the first issue, more than one page of them. */
export const EVENTS = 120;
const FIRST_MS = Date.UTC(2026, 10, 1);

/** An organization `acme` with two projects, of which one has issues, and another organization. */
export async function fillGlitchtip(client: Client, version: GlitchtipVersion): Promise<void> {
  await client.query(COMMON + TABLES[version]);
  await client.query(`
    INSERT INTO organizations_ext_organization (id, name, slug, open_membership) VALUES (1, 'Acme', 'acme', true), (2, 'Other', 'other', false);
    INSERT INTO users_user (id, email, name, password) VALUES (1, 'Ada@acme.example', 'Ada', 'argon2$secret'), (2, 'bob@acme.example', '', 'argon2$secret');
    INSERT INTO organizations_ext_organizationuser (id, organization_id, user_id, role, email) VALUES (1, 1, 1, 3, NULL), (2, 1, 2, 0, NULL), (3, 1, NULL, 1, 'new@acme.example'), (4, 2, 2, 3, NULL);
    INSERT INTO teams_team (id, slug, organization_id) VALUES (1, 'backend', 1);
    INSERT INTO teams_team_members (team_id, organizationuser_id) VALUES (1, 1), (1, 3);
    INSERT INTO projects_project (id, slug, name, platform, organization_id, is_deleted) VALUES (11, 'web', 'Web', 'javascript', 1, false), (12, 'gone', 'Gone', NULL, 1, true), (13, 'api', 'API', 'python', 1, false), (14, 'theirs', 'Theirs', NULL, 2, false);
    INSERT INTO teams_team_projects (team_id, project_id) VALUES (1, 11);
    INSERT INTO environments_environment (id, organization_id, name) VALUES (1, 1, 'production');
    INSERT INTO environments_environmentproject (project_id, environment_id, is_hidden) VALUES (11, 1, false);
    INSERT INTO releases_release (id, organization_id, version, released) VALUES (1, 1, 'web@1.0.0', '2026-10-30T00:00:00Z');
    INSERT INTO releases_release_projects (release_id, project_id) VALUES (1, 11);
    INSERT INTO issue_events_comment (issue_id, user_id, text, created) VALUES (101, 1, 'I know this one', '2026-11-02T00:00:00Z');
    INSERT INTO issue_events_issueaggregate (issue_id, organization_id, date, count) VALUES (101, 1, '2026-11-01T00:00:00Z', 60), (101, 1, '2026-11-01T01:00:00Z', 60);
    INSERT INTO issue_events_userreport (project_id, comments) VALUES (11, 'It broke');
    INSERT INTO alerts_projectalert (id, name, project_id, timespan_minutes, quantity, uptime) VALUES (1, 'Many', 11, 5, 10, true);
    INSERT INTO alerts_alertrecipient (alert_id, recipient_type, url) VALUES (1, 'email', ''), (1, 'googlechat', 'https://chat.example/secret-path');
    INSERT INTO uptime_monitor (id, organization_id, project_id, environment_id, monitor_type, name, url, interval, timeout, expected_status, expected_body) VALUES
      (1, 1, 11, 1, 'GET', 'Shop', 'https://acme.example/', 60, NULL, 200, 'welcome'), (2, 1, 11, NULL, 'Heartbeat', 'Nightly job', '', 3600, NULL, NULL, ''), (3, 1, 11, NULL, 'SSL', 'Certificate', 'https://acme.example/', 60, NULL, NULL, '');
    INSERT INTO projects_projectkey (project_id, public_key) VALUES (11, '${PUBLIC_KEY}'), (13, 'ffffffffffffffffffffffffffffffff');
  `);
  const issues = [
    { id: 101, project: 11, shortId: 33, title: 'TypeError: x is undefined', status: 1, count: 500, type: 1 },
    { id: 102, project: 11, shortId: 34, title: 'Slow', status: 2, count: 2, type: 0 },
    { id: 103, project: 13, shortId: 1, title: 'ValueError: bad', status: 0, count: 1, type: 1 },
    { id: 104, project: 14, shortId: 1, title: 'Theirs', status: 0, count: 1, type: 1 },
  ];
  for (const { id, project, shortId, title, status, count, type } of issues) {
    const [first, last] = ['2026-11-01T00:00:00Z', '2026-11-01T02:00:00Z'];
    const [kind = '', value = ''] = title.split(': ');
    const metadata = JSON.stringify(value === '' ? { title } : { type: kind, value });
    if (version === 5) {
      await client.query(
        'INSERT INTO issue_events_issue (id, project_id, short_id, title, culprit, metadata, type, level, status, count, first_seen, last_seen) VALUES ($1, $2, $3, $4, $5, $6, $7, 4, $8, $9, $10, $11)',
        [id, project, shortId, title, 'checkout', metadata, type, status, count, first, last],
      );
    } else {
      await client.query(
        'INSERT INTO issue_events_issue (id, project_id, short_id, title, culprit, metadata, type, first_seen, first_release_id, resolved_in_release_id, assigned_to_org_user_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $10)',
        [
          id,
          project,
          shortId,
          title,
          'checkout',
          metadata,
          type,
          first,
          id === 101 ? 1 : null,
          id === 101 ? 1 : null,
        ],
      );
      await client.query(
        'INSERT INTO issue_events_issueindex (issue_id, organization_id, last_release_id, last_seen, count, status, level) VALUES ($1, $2, 1, $3, $4, $5, 4)',
        [id, project === 14 ? 2 : 1, last, count, status],
      );
    }
    const events = id === 101 ? EVENTS : 1;
    for (let index = 0; index < events; index++)
      await insertEvent(client, version, { issue: id, project, title, index });
  }
}

async function insertEvent(
  client: Client,
  version: GlitchtipVersion,
  { issue, project, title, index }: { issue: number; project: number; title: string; index: number },
): Promise<void> {
  const receivedMs = FIRST_MS + index * 60_000;
  const [type = '', value = ''] = title.split(': ');
  const data = {
    platform: 'javascript',
    metadata: { type, value },
    ...(value === ''
      ? { message: title, logentry: { formatted: title } }
      : {
          exception: {
            values: [
              {
                type,
                value,
                stacktrace: {
                  frames: [{ function: 'checkout', filename: 'app.js', lineno: 3, in_app: true }],
                },
              },
            ],
          },
        }),
    contexts: { os: { name: 'Linux' } },
    user: { id: String(index % 7) },
  };
  const tags = { release: 'web@1.0.0', environment: 'production', plan: 'pro' };
  const eventId = `${issue.toString(16).padStart(8, '0')}${index.toString(16).padStart(24, '0')}`;
  const common = [
    issue,
    new Date(receivedMs).toISOString(),
    title,
    'checkout',
    JSON.stringify(data),
    JSON.stringify(tags),
  ];
  if (version === 5) {
    await client.query(
      'INSERT INTO issue_events_issueevent (issue_id, received, title, transaction, data, tags, id, timestamp, type, level, release_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $2, 1, 4, 1)',
      [...common, eventId],
    );
    return;
  }
  const serverId = `${receivedMs.toString(16).padStart(12, '0')}7000${eventId.slice(4, 8)}${eventId.slice(-12)}`;
  await client.query(
    'INSERT INTO issue_events_issueevent (issue_id, timestamp, title, transaction, data, tags, id, event_id, organization_id, type, level, release_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, 4, 1)',
    [...common, serverId, eventId, project === 14 ? 2 : 1],
  );
}
