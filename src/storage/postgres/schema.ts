import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { EventMetadata, EventType, Level } from '#protocol/event.ts';
import type { Archive, IssuePriority, Resolution } from '#storage/ports/issue-states.ts';
import type { ActivityType, IssueSort, IssueStatus, IssueSubstatus } from '#storage/ports/issues.ts';

/** The tables that the queries here name, as the migrations make them; PostgreSQL's 64-bit integers are numbers. */
export type Database = {
  organizations: OrganizationTable;
  projects: ProjectTable;
  client_keys: ClientKeyTable;
  issues: IssueTable;
  issue_texts: IssueTextTable;
  grouping_hashes: GroupingHashTable;
  releases: ReleaseTable;
  release_projects: ReleaseProjectTable;
  issue_releases: IssueReleaseTable;
  environments: EnvironmentTable;
  activities: ActivityTable;
  outcomes_hourly: OutcomeHourTable;
  spool_positions: SpoolPositionTable;
  quarantine: QuarantineTable;
  quotas: QuotaTable;
  users: UserTable;
  saved_searches: SavedSearchTable;
  teams: TeamTable;
};

type Timestamp = ColumnType<Date, Date | undefined, Date>;

type OrganizationTable = {
  id: Generated<number>;
  slug: string;
  name: string;
  /** Whether everybody reads every project. */
  is_open: Generated<boolean>;
  /** Privacy settings, as far as they were decided. */
  privacy_settings: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: Timestamp;
};

type ProjectTable = {
  id: Generated<number>;
  organization_id: number;
  slug: string;
  name: string;
  platform: string | null;
  is_internal: boolean;
  /** Number of the newest issue; the next one gets this plus one. */
  issue_counter: Generated<number>;
  first_event_at: ColumnType<Date | null, never, Date>;
  /** Ingest settings, as far as they were decided. */
  ingest_settings: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: Timestamp;
};

type ClientKeyTable = {
  id: Generated<number>;
  project_id: number;
  public_key: string;
  label: string;
  is_active: Generated<boolean>;
  created_at: Timestamp;
};

export type IssueTable = {
  id: Generated<number>;
  organization_id: number;
  project_id: number;
  short_id: string;
  title: string;
  culprit: string;
  level: Level;
  platform: string;
  type: EventType;
  metadata: JSONColumnType<EventMetadata>;
  logger: string | null;
  status: IssueStatus;
  substatus: IssueSubstatus | null;
  substatus_at: ColumnType<Date | null>;
  priority: IssuePriority;
  priority_locked_at: ColumnType<Date | null>;
  first_seen: Timestamp;
  last_seen: Timestamp;
  times_seen: number;
  assignee_user_id: string | null;
  assignee_team_id: number | null;
  resolved_at: ColumnType<Date | null>;
  resolution: JSONColumnType<Resolution> | null;
  archive: JSONColumnType<Archive> | null;
  archived_until: ColumnType<Date | null>;
  escalates_at_times_seen: number | null;
  escalates_before: ColumnType<Date | null>;
  first_release: string | null;
  last_release: string | null;
};

type IssueTextTable = { issue_id: number; content: string };

type GroupingHashTable = { project_id: number; hash: string; issue_id: number };

type ReleaseTable = {
  id: Generated<number>;
  organization_id: number;
  version: string;
  first_seen: Timestamp;
  /** null until it is told. */
  released_at: ColumnType<Date | null>;
  package: string | null;
  prerelease: string | null;
  build: string | null;
  /** Sorts as semantic versions do; null for what is none. */
  version_order: string | null;
  /** Whether the parts before are known. */
  is_parsed: boolean;
};

type ReleaseProjectTable = { release_id: number; project_id: number; first_seen: Timestamp };

type IssueReleaseTable = { issue_id: number; release_id: number };

type EnvironmentTable = {
  organization_id: number;
  project_id: number;
  name: string;
  first_seen: Timestamp;
};

type ActivityTable = {
  id: Generated<number>;
  issue_id: number;
  type: ActivityType;
  user_id: string | null;
  data: JSONColumnType<Record<string, unknown>>;
  at: Timestamp;
};

type OutcomeHourTable = {
  organization_id: number;
  project_id: number;
  /** 0 when no key is known. */
  key_id: number;
  hour: Timestamp;
  category: string;
  outcome: string;
  reason: string;
  quantity: number;
};

type SpoolPositionTable = { spool_id: string; position: number; updated_at: Timestamp };

type QuarantineTable = {
  id: Generated<number>;
  organization_id: number;
  project_id: number;
  key_id: number | null;
  event_id: string | null;
  category: string;
  reason: string;
  detail: string;
  attempts: number;
  received_at: Timestamp;
  quarantined_at: Timestamp;
  replayed_at: ColumnType<Date | null>;
  spool_id: string;
  position: number;
  item: number;
  record: Buffer;
};

type QuotaTable = {
  id: Generated<number>;
  organization_id: number;
  /** null for limits of the organization and of keys. */
  project_id: number | null;
  key_id: number | null;
  /** Sorted; empty for every category. */
  categories: string[];
  item_limit: number;
  window_seconds: number;
  created_at: Timestamp;
};

type TeamTable = {
  id: Generated<number>;
  organization_id: number;
  slug: string;
  name: string;
  created_at: Timestamp;
};

export type SavedSearchTable = {
  id: Generated<number>;
  organization_id: number;
  user_id: string;
  name: string;
  query: string;
  sort: IssueSort;
  is_shared: boolean;
  created_at: Timestamp;
};

type UserTable = { id: string; name: string; email: string };
