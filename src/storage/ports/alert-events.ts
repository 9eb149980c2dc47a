import type { AlertMeasure } from '#domain/alerts/alert-rule.ts';
import type { EventScope, IssueEvents, StoredEvent, TimeRange } from './events.ts';
import type { EventExpression } from './search.ts';

/** An event by its id, or the newest one of an issue. */
export type WantedEvent = {
  projectId: number;
  issueId: number;
  /** Of the issue. */
  hashes: readonly string[];
  eventId: string | null;
  /** Of the newest one; null for any. */
  environment: string | null;
};

/** Within half a percent where there are more than some thousands. */
export type WindowCount = { events: number; users: number };

/** When the first event of an issue in an environment was received, and when that one that was asked for: milliseconds. */
export type FirstIn = { first: number; asked: number };

/** When an issue would have been looked at by a rule on each event. */
export type EventMoment = { projectId: number; groupingHash: string; eventId: string; at: number };

/** `cut`: there were more than asked for, or no time or memory to find any; null when these are all. */
export type Moments = { moments: readonly EventMoment[]; cut: 'limit' | 'time' | null };

/**
 * What a preview asks of stored events. It is given up after `timeMs`: null, or `cut` of the answer.
 */
export type AskedSteps = { range: TimeRange; stepMs: number; environment: string | null; timeMs: number };

/** What alerts ask of stored events. Source: ClickHouse. */
export interface AlertEventStore {
  /**
   * In the order of `wanted`; null for what is gone. Without `payload` it is made of the columns, and has no stack; with it,
   * an event may be some mebibytes: ask for few at once. Throws Invalid when it takes longer than a search may.
   */
  findEvents(
    organizationId: number,
    wanted: readonly WantedEvent[],
    receivedSinceMs: number,
    withPayload: boolean,
  ): Promise<readonly (StoredEvent | null)[]>;
  /**
   * Events and users of each issue within the range, in their order; at most a thousand issues. Throws Invalid when it takes
   * too long or too much memory; so does the next one.
   */
  countWindow(
    scope: EventScope,
    issues: readonly IssueEvents[],
    asked: { range: TimeRange; environment: string | null },
  ): Promise<readonly WindowCount[]>;
  /** In the order of the issues; null for one that has none of the events there. At most a thousand issues. */
  findFirstIn(
    scope: EventScope,
    issues: readonly IssueEvents[],
    asked: { environment: string; eventIds: readonly string[] },
  ): Promise<readonly (FirstIn | null)[]>;
  /** About how many steps of the range have events, counted for each grouping hash with more than `above` of them. */
  countSteps(scope: EventScope, asked: AskedSteps & { above: number }): Promise<number | null>;
  /**
   * The first event of each grouping hash in each step of the range, newest first, at most `limit`. Where `oneOf` is more
   * than one, of each hash one range of `blockMs` in so many.
   */
  listMoments(
    scope: EventScope,
    asked: AskedSteps & { oneOf: number; blockMs: number },
    limit: number,
  ): Promise<Moments>;
  /**
   * Windows in which more than `above` events, or users, of one grouping hash fall, beginning at each step (a part of the
   * window): the last event of each; newest first, at most `limit`. Of one hash in `oneOf`.
   */
  listCrowded(
    scope: EventScope,
    asked: AskedSteps & { of: 'events' | 'users'; above: number; windowMs: number; oneOf: number },
    limit: number,
  ): Promise<Moments>;
  /**
   * A measure over time: one value per bucket, oldest first; null where a share has nothing that it could be of. The
   * expression names only what the rows of the measure have. Throws Invalid when it takes longer than a search may.
   */
  measure(
    scope: EventScope,
    asked: {
      measure: AlertMeasure;
      expression: EventExpression;
      range: TimeRange;
      bucketMs: number;
      /** A rate of fewer sessions in a bucket is null; 0 for measures of anything else. */
      minimumSessions: number;
    },
  ): Promise<readonly (number | null)[]>;
}
