import type { PersonKind } from '#storage/ports/person-data.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';

export const DATA_REQUEST_STATES = [
  /** Looks what there is. */
  'counting',
  /** Waits for somebody to export or to erase. */
  'counted',
  'exporting',
  /** Hides the data from all reads. */
  'erasing',
  /** Hidden; removes it from disk. */
  'purging',
  'erased',
  'canceled',
] as const;
export type DataRequestState = (typeof DATA_REQUEST_STATES)[number];

export type DataRequestSubject = 'person' | 'project' | 'organization';

/** Kinds of texts in the relational store that may name a person. */
export const TEXT_KINDS = [
  'issues',
  'comments',
  'links',
  'notifications',
  'auditLog',
  'savedSearches',
  'dashboards',
  'alertRules',
  'groupingChanges',
  'quarantine',
] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** What of a person is stored, or was removed: rows of each kind, and the files that they name. */
export type DataCounts = Partial<
  Record<PersonKind | TextKind | 'files' | 'emptyIssues' | 'uptimeChecks' | 'checkIns', number>
>;

export type IdentifierHash = { kind: UserKey['kind']; hash: string };

/** Times are milliseconds since the epoch, null for what did not happen. */
export type DataRequest = {
  id: number;
  organizationId: number;
  organizationSlug: string;
  subject: DataRequestSubject;
  /** The slug of a project or an organization; empty for a person. */
  subjectName: string;
  projectIds: readonly number[];
  state: DataRequestState;
  step: EraseStep | '';
  identifierHashes: readonly IdentifierHash[];
  found: DataCounts;
  removed: DataCounts;
  notes: readonly DataRequestNote[];
  requestedByName: string;
  createdAt: number;
  countedAt: number | null;
  eraseRequestedByName: string | null;
  eraseRequestedAt: number | null;
  hiddenAt: number | null;
  purgedAt: number | null;
  finishedAt: number | null;
  exportRequestedBy: string | null;
  exportBytes: number | null;
  exportRows: number | null;
  exportExpiresAt: number | null;
  nextAt: number;
  /** Why the last step failed, or what it waits for. */
  lastError: string | null;
};

/** What somebody who reads the certificate has to know. */
export type DataRequestNote =
  /** An external PostgreSQL did not let us rewrite its tables, or its log. */
  | 'postgres_tables_not_rewritten'
  | 'postgres_log_not_renewed'
  | 'topic_keeps_records'
  /** A machine that may hold data of the person stayed away for longer than it is waited for. */
  | 'spool_not_stored'
  /** An identifier is the address of a member of the organization: the account stays. */
  | 'member_account_stays'
  /** An ID or username that is no word of its own is only looked for where a user is named. */
  | 'short_identifier';

/**
 * In this order; each may be repeated. What was on its way when somebody asked is stored by the end of `settle`, and goes in
 * a second round; `check` begins another one when something arrived even later.
 */
export const ERASE_STEPS = [
  'note',
  'hide',
  'files',
  'texts',
  'settle',
  'note_again',
  'hide_again',
  'files_again',
  'texts_again',
  'purge',
  'spool',
  'clear',
  'check',
] as const;
export type EraseStep = (typeof ERASE_STEPS)[number];

/** Whether nothing of the request is left to do. */
export const isOver = ({ state }: Pick<DataRequest, 'state'>): boolean =>
  state === 'erased' || state === 'canceled';
