import { createHash } from 'node:crypto';

/**
 * Tables of Bugsink 2.6 as its migrations leave them, with the columns that an import could read, in the types of PostgreSQL.
 * Source: models.py of https://github.com/bugsink/bugsink
 */
const TABLES = `
  CREATE TABLE auth_user (id integer PRIMARY KEY, email varchar(254), username varchar(150), first_name varchar(150), last_name varchar(150), is_superuser boolean, is_active boolean);
  CREATE TABLE teams_team (id uuid PRIMARY KEY, name varchar(255));
  CREATE TABLE teams_teammembership (id integer PRIMARY KEY, team_id uuid, user_id bigint, role integer, accepted boolean);
  CREATE TABLE projects_project (id integer PRIMARY KEY, team_id uuid, name varchar(255), slug varchar(50), sentry_key uuid, is_deleted boolean, alert_on_new_issue boolean, alert_on_regression boolean, alert_on_unmute boolean);
  CREATE TABLE projects_projectmembership (id integer PRIMARY KEY, project_id bigint, user_id bigint, accepted boolean);
  CREATE TABLE releases_release (id uuid PRIMARY KEY, project_id bigint, version varchar(250), date_released timestamptz);
  CREATE TABLE issues_issue (id uuid PRIMARY KEY, project_id bigint, is_deleted boolean, digest_order integer, last_seen timestamptz, first_seen timestamptz, digested_event_count integer, calculated_type varchar(128), calculated_value text, "transaction" varchar(200), last_frame_function varchar(255), is_resolved boolean, is_resolved_unconditionally boolean, is_resolved_by_next_release boolean, fixed_at text, events_at text, is_muted boolean, unmute_on_volume_based_conditions text, unmute_after timestamptz);
  CREATE TABLE issues_turningpoint (id integer PRIMARY KEY, issue_id uuid, user_id bigint, timestamp timestamptz, kind integer, metadata text, comment text);
  CREATE TABLE events_event (id uuid PRIMARY KEY, event_id uuid, project_id bigint, issue_id uuid, data text, timestamp timestamptz, ingested_at timestamptz, digested_at timestamptz, platform varchar(64), level varchar(7), environment varchar(64), digest_order integer, storage_backend varchar(255));
  CREATE TABLE events_issueeventcountsperhour (id integer PRIMARY KEY, issue_id uuid, bucket timestamptz, count integer);
  CREATE TABLE alerts_messagingserviceconfig (id integer PRIMARY KEY, project_id bigint, kind varchar(20), display_name varchar(100));
  CREATE TABLE bsmain_authtoken (id integer PRIMARY KEY, token varchar(40));
`;

/** SQLite has no reserved word among them, but other names for types. */
const asSqlite = (text: string): string =>
  text
    .replaceAll(/\buuid\b/g, 'char(32)')
    .replaceAll('timestamptz', 'datetime')
    .replaceAll(/\btrue\b/g, '1')
    .replaceAll(/\bfalse\b/g, '0')
    .replaceAll(/\+00'/g, "'");

/** 32 hex digits, the same for the same name. */
export const uuidOf = (name: string): string => createHash('md5').update(name).digest('hex');

const at = (minute: number): string =>
  `${new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString().replace('T', ' ').replace('.000Z', '.123456')}+00`;

/** Of the first issue, more than one page of them. */
export const EVENTS = 70;
/** The event whose body is in a file, and the backend that keeps it. */
export const FILED = {
  id: uuidOf('event files 0'),
  eventId: uuidOf('client files 0'),
  backend: 'flat_files',
};

function rows(): string[] {
  const statements = [
    `INSERT INTO auth_user VALUES (1, 'root@acme.example', 'root@acme.example', '', '', true, true), (2, 'ada@acme.example', 'ada@acme.example', 'Ada', 'L', false, true), (3, 'gone@acme.example', 'gone', '', '', false, false), (4, '', 'nobody', '', '', false, true)`,
    `INSERT INTO teams_team VALUES ('${uuidOf('team')}', 'Back End')`,
    `INSERT INTO teams_teammembership VALUES (1, '${uuidOf('team')}', 2, 1, true), (2, '${uuidOf('team')}', 1, 0, false)`,
    `INSERT INTO projects_project VALUES (1, '${uuidOf('team')}', 'Web', 'web', '${uuidOf('key')}', false, true, true, false), (2, NULL, 'Gone', 'gone', '${uuidOf('key 2')}', true, true, true, true), (3, NULL, 'API', 'api', '${uuidOf('key 3')}', false, false, false, false)`,
    `INSERT INTO projects_projectmembership VALUES (1, 3, 2, true)`,
    `INSERT INTO releases_release VALUES ('${uuidOf('r0')}', 1, '', '${at(0)}'), ('${uuidOf('r1')}', 1, '1.0', '${at(0)}'), ('${uuidOf('r2')}', 3, '1.0', '${at(5)}'), ('${uuidOf('r3')}', 1, '1.1', '${at(9)}')`,
    `INSERT INTO alerts_messagingserviceconfig VALUES (1, 1, 'slack', '#errors'), (2, 1, 'custom', 'Ours')`,
    `INSERT INTO bsmain_authtoken VALUES (1, 'hidden')`,
  ];
  const issue = (name: string, order: number, count: number, type: string, value: string, state: string) =>
    `INSERT INTO issues_issue VALUES ('${uuidOf(name)}', 1, false, ${order}, '${at(90)}', '${at(0)}', ${count}, '${type}', '${value}', 'checkout', 'pay', ${state})`;
  statements.push(
    issue(
      'next',
      1,
      500,
      'TypeError',
      'x is undefined',
      `true, false, true, '', '1.0\n1.1\n', false, '[]', NULL`,
    ),
    issue('fixed', 2, 1, 'ValueError', 'bad', `true, false, false, '1.1\n', '1.0\n', false, '[]', NULL`),
    issue(
      'muted',
      3,
      1,
      'Log Message',
      'hello',
      `false, false, false, '', '', true, '[{"period": "hour", "nr_of_periods": 2, "volume": 5}]', NULL`,
    ),
    issue('until', 4, 1, 'KeyError', '', `false, false, false, '', '', true, '[]', '${at(10_000)}'`),
    issue('files', 5, 1, 'OSError', 'disk', `false, false, false, '', '', false, '[]', NULL`),
    `INSERT INTO issues_turningpoint VALUES (1, '${uuidOf('next')}', NULL, '${at(0)}', 1, '{}', ''), (2, '${uuidOf('next')}', 2, '${at(50)}', 2, '{"resolve_by_next": true}', 'I know this one'), (3, '${uuidOf('fixed')}', 2, '${at(51)}', 2, '{"resolved_release": "1.1"}', '')`,
    `INSERT INTO events_issueeventcountsperhour VALUES (1, '${uuidOf('next')}', '2026-10-01 00:00:00+00', 60), (2, '${uuidOf('next')}', '2026-10-01 01:00:00+00', 10)`,
  );
  for (const [name, count] of [
    ['next', EVENTS],
    ['fixed', 1],
    ['muted', 1],
    ['until', 1],
    ['files', 1],
  ] as const) {
    for (let index = 0; index < count; index++) {
      const isFiled = name === 'files';
      const data = isFiled
        ? ''
        : JSON.stringify({ platform: 'node', level: 'error', tags: { index }, message: name });
      statements.push(
        `INSERT INTO events_event VALUES ('${uuidOf(`event ${name} ${index}`)}', '${uuidOf(`client ${name} ${index}`)}', 1, '${uuidOf(name)}', '${data}', '${at(index)}', '${at(index)}', '${at(index)}', 'node', 'error', 'production', ${index}, ${isFiled ? `'${FILED.backend}'` : 'NULL'})`,
      );
    }
  }
  return statements;
}

/** The statements that make such a database, for either kind. */
export function bugsinkStatements(kind: 'postgres' | 'sqlite'): readonly string[] {
  const statements = [...TABLES.split(';').filter((text) => text.trim() !== ''), ...rows()];
  return kind === 'postgres' ? statements : statements.map(asSqlite);
}
