import type { EventScope, IssueEvents, TimeRange } from './events.ts';

export type TagValue = {
  value: string;
  /** Events that carry it. */
  count: number;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
};

export type TagValues = {
  key: string;
  /** Events that carry the tag. */
  total: number;
  distinct: number;
  values: readonly TagValue[];
};

/** What the events of an issue carry under one key. Source: ClickHouse. */
export interface IssueTagStore {
  /** Of the newest `events` of the range; the most frequent values first. */
  countValues(
    scope: EventScope,
    issue: IssueEvents,
    key: string,
    range: TimeRange,
    limits: { values: number; events: number },
  ): Promise<TagValues>;
}
