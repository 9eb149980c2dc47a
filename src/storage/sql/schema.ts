import type { ColumnType, JSONColumnType, Selectable } from 'kysely';
import type {
  ActivityType,
  Archive,
  IssuePriority,
  IssueSort,
  IssueStatus,
  IssueSubstatus,
  Resolution,
} from '#domain/issues/issue.ts';
import type { EventMetadata, EventType, Level } from '#protocol/event.ts';
import type { SavedQuestion } from '#storage/ports/saved-question.ts';
import type { Tables } from './tables.ts';

/** Columns whose values the schema knows as text or JSON only. */
type Refined = {
  activities: { type: ActivityType; data: JSONColumnType<Record<string, unknown>> };
  issues: {
    level: Level;
    type: EventType;
    metadata: JSONColumnType<EventMetadata>;
    status: IssueStatus;
    substatus: IssueSubstatus | null;
    priority: IssuePriority;
    resolution: JSONColumnType<Resolution> | null;
    archive: JSONColumnType<Archive> | null;
  };
  organizations: { privacy_settings: JsonSettings };
  projects: { ingest_settings: JsonSettings };
  saved_searches: {
    sort: IssueSort | null;
    question: JSONColumnType<SavedQuestion, string | undefined, string | undefined> | null;
  };
};

/** As far as they were decided. */
type JsonSettings = ColumnType<Record<string, unknown>, string | undefined, string>;

/** Every table, as the migrations make them; 64-bit integers are numbers, timestamps dates. */
export type Database = {
  [Table in keyof Tables]: Table extends keyof Refined
    ? Omit<Tables[Table], keyof Refined[Table]> & Refined[Table]
    : Tables[Table];
};

/** What a query reads of a table. */
export type Row<Table extends keyof Database> = Selectable<Database[Table]>;
