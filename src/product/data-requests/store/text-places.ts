import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#storage/sql/schema.ts';
import type { TextKind } from '../data-request.ts';

/** Columns that may hold what a person is called by, and which rows of the table are of an organization. */
export type TextPlace = {
  kind: Exclude<TextKind, 'quarantine'>;
  table: keyof Database;
  /** What its rows are told apart by. */
  key: string;
  texts: readonly string[];
  json: readonly string[];
  scope: (organizationId: number) => RawBuilder<unknown>;
};

const own = (organizationId: number) => sql`organization_id = ${organizationId}`;
const ofIssue = (organizationId: number) =>
  sql`issue_id IN (SELECT id FROM issues WHERE organization_id = ${organizationId})`;
const ofProject = (organizationId: number) =>
  sql`project_id IN (SELECT id FROM projects WHERE organization_id = ${organizationId})`;
const ofChange = (organizationId: number) =>
  sql`change_id IN (SELECT id FROM grouping_changes WHERE organization_id = ${organizationId})`;

/** Every place; a test holds it against the schema. */
export const TEXT_PLACES: readonly TextPlace[] = [
  {
    kind: 'issues',
    table: 'issues',
    key: 'id',
    texts: ['title', 'culprit', 'logger'],
    json: ['metadata'],
    scope: own,
  },
  {
    kind: 'issues',
    table: 'transfer_issues',
    key: 'id',
    texts: [],
    json: ['record'],
    scope: ofProject,
  },
  { kind: 'issues', table: 'issue_texts', key: 'issue_id', texts: ['content'], json: [], scope: ofIssue },
  {
    kind: 'issues',
    table: 'discarded_issues',
    key: 'id',
    texts: ['title', 'culprit'],
    json: [],
    scope: ofProject,
  },
  { kind: 'comments', table: 'activities', key: 'id', texts: [], json: ['data'], scope: ofIssue },
  { kind: 'links', table: 'issue_links', key: 'id', texts: ['url', 'title'], json: [], scope: ofIssue },
  {
    kind: 'notifications',
    table: 'deliveries',
    key: 'id',
    texts: ['last_error'],
    json: ['subject', 'content'],
    scope: own,
  },
  {
    kind: 'notifications',
    table: 'alert_firings',
    key: 'id',
    texts: ['cause'],
    json: ['withheld'],
    scope: own,
  },
  { kind: 'notifications', table: 'outbox', key: 'id', texts: [], json: ['data'], scope: own },
  { kind: 'auditLog', table: 'audit_entries', key: 'id', texts: ['target_name'], json: ['data'], scope: own },
  {
    kind: 'savedSearches',
    table: 'saved_searches',
    key: 'id',
    texts: ['name', 'query'],
    json: ['question'],
    scope: own,
  },
  {
    kind: 'dashboards',
    table: 'dashboards',
    key: 'id',
    texts: ['title', 'description'],
    json: ['widgets', 'variables', 'filters'],
    scope: own,
  },
  { kind: 'alertRules', table: 'alert_rules', key: 'id', texts: ['name'], json: ['definition'], scope: own },
  {
    kind: 'groupingChanges',
    table: 'grouping_change_pairs',
    key: 'ctid',
    texts: ['title'],
    json: [],
    scope: ofChange,
  },
  {
    kind: 'groupingChanges',
    table: 'grouping_change_rows',
    key: 'ctid',
    texts: [],
    json: ['content'],
    scope: ofChange,
  },
  {
    kind: 'groupingChanges',
    table: 'grouping_rules',
    key: 'ctid',
    texts: ['fingerprint', 'stack_trace'],
    json: [],
    scope: ofProject,
  },
];

/** Tables that held, or may have held, what a person is called by: they are rewritten, so that nothing of it is left. */
export const TABLES_REWRITTEN: readonly (keyof Database)[] = [
  ...new Set(TEXT_PLACES.map(({ table }) => table)),
  'quarantine',
];
