import type {
  DigestedAttachment,
  DigestedFeedback,
  DigestedReplaySegment,
  TelemetryKind,
  TelemetryRows,
} from '#protocol/telemetry.ts';
import type { EventScope, TimeRange } from './events.ts';
import type { TelemetrySummaries } from './telemetry-summaries.ts';

/** A row with the moment that lists are ordered by. */
export type TelemetryPage<Kind extends TelemetryKind> = {
  rows: readonly TelemetryRows[Kind][number][];
  /** Where the next page begins; null at the end. */
  next: TelemetryCursor | null;
};

/** Rows before this moment (in the unit of the table's own clock), or at it with a smaller id. */
export type TelemetryCursor = { at: number; id: string };

export type TelemetryQuery = {
  limit: number;
  before: TelemetryCursor | null;
  range: TimeRange | null;
  /** Only rows with this value in a column that the kind has; unknown names match nothing. */
  filter?: Partial<Record<TelemetryFilter, string>>;
};

export type TelemetryFilter =
  | 'traceId'
  | 'eventId'
  | 'replayId'
  | 'monitorSlug'
  | 'associatedEventId'
  | 'transactionId'
  | 'name'
  | 'level'
  | 'release'
  | 'environment'
  | 'profilerId';

/** Telemetry, each row stored once however often it is inserted, read back deduplicated. Source: ClickHouse. */
export interface TelemetryStore extends TelemetrySummaries {
  /**
   * Writes what is there, table by table; durable when it resolves. May be sent again, whole or cut differently: rows
   * with the same identity replace each other. Throws ErrataError 'unavailable' when the store does not answer.
   */
  insert(rows: Partial<TelemetryRows>, token: string): Promise<void>;
  /** Newest first. */
  list<Kind extends TelemetryKind>(
    kind: Kind,
    scope: EventScope,
    query: TelemetryQuery,
  ): Promise<TelemetryPage<Kind>>;
  /**
   * null when the scope holds no such row; the id is the kind's own (event id, check-in id, attachment id …). Of several
   * rows with the id, such as the updates of a session, the one that counts.
   */
  find<Kind extends TelemetryKind>(
    kind: Kind,
    scope: EventScope,
    id: string,
  ): Promise<TelemetryRows[Kind][number] | null>;
  /** By name. */
  listEventAttachments(scope: EventScope, eventId: string): Promise<readonly DigestedAttachment[]>;
  /** What people said about an event, newest first, at most 20. */
  listEventFeedback(scope: EventScope, eventId: string): Promise<readonly DigestedFeedback[]>;
  /** By segment. */
  listReplaySegments(scope: EventScope, replayId: string): Promise<readonly DigestedReplaySegment[]>;
}
