import type { NormalizedEvent } from '#protocol/event.ts';
import type { EventScope, TimeRange } from './events.ts';

export type StoredForGrouping = {
  eventId: string;
  hash: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  receivedAt: number;
  /** null when spike protection left the body out: such an event goes where the others of its hash go. */
  payload: NormalizedEvent | null;
};

export type EventMove = {
  eventId: string;
  from: string;
  to: string;
  occurredAt: number;
  receivedAt: number;
};

/** Stored events as a regroup reads and rewrites them. Source: ClickHouse. */
export interface RegroupEvents {
  /** Days that hold events of the project, newest first, with their number. */
  listDays(
    organizationId: number,
    projectId: number,
    sinceMs: number | null,
  ): Promise<readonly { day: string; events: number }[]>;
  /** Newest arrival of the project's events; 0 when there are none. */
  findNewestArrival(organizationId: number, projectId: number): Promise<number>;
  /** Events of a day by (hash, time, id), each once, after a place. Memory is bounded by the blocks. */
  readDay(
    organizationId: number,
    projectId: number,
    day: string,
    options: {
      sinceMs: number | null;
      after: { hash: string; occurredAt: number; eventId: string } | null;
    },
  ): AsyncIterable<readonly StoredForGrouping[]>;
  /** Writes down what is to be moved. The same again is harmless. */
  noteMoves(
    place: { changeId: number; projectId: number; phase: 'apply' | 'undo'; round: number },
    moves: readonly EventMove[],
  ): Promise<void>;
  /** Days on which events were noted, newest first. */
  listMoveDays(changeId: number, phase: 'apply' | 'undo', round: number | null): Promise<readonly string[]>;
  /**
   * Gives the noted events of a day their other hash, where the pair is among `pairs`; `isReverse` takes it back. May be
   * repeated at any point: events are stored anew first, and then taken away from where they were.
   */
  moveDay(
    place: {
      changeId: number;
      organizationId: number;
      projectId: number;
      phase: 'apply' | 'undo';
      round: number | null;
    },
    day: string,
    pairs: readonly Pick<HashPair, 'from' | 'to'>[],
    isReverse: boolean,
  ): Promise<void>;
  forget(changeIds: readonly number[]): Promise<void>;
  /**
   * The newest event of each hash in the range, and the oldest where that is another; of at most so many hashes, those
   * seen last. Found, and not yet read.
   */
  findSamples(scope: EventScope, range: TimeRange, hashesMax: number): Promise<EventSamples>;
}

export type EventSamples = {
  hashes: readonly string[];
  /** The newest of all hashes first, by days; then the oldest. Until `signal` says stop. */
  read(signal: AbortSignal): AsyncIterable<readonly StoredForGrouping[]>;
};

/** Where a job has got to: which pass over the events, and the last event that was looked at. */
export type RegroupCursor = {
  round: number;
  /** `scan` reads events, `move` rewrites rows of this round; both go by day, newest day first. */
  step: 'scan' | 'move';
  /** Events that arrived since then are looked at in this round (milliseconds); null for all. */
  sinceMs: number | null;
  /** When the round began. */
  startedAt: number;
  /** Newest arrival among the stored events when the round began: the next one looks from here on. */
  newestMs: number;
  /** As `newestMs` when the first round began: what came later may have been grouped by either rules. */
  firstNewestMs: number;
  /** `2026-01-31`, of the day under way; null at the beginning of a step. */
  day: string | null;
  /** null at the beginning of a day. */
  after: { hash: string; occurredAt: number; eventId: string } | null;
};

/** How many events of one hash have another one by the rules. */
export type HashPair = {
  from: string;
  to: string;
  events: number;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
  /** Of the newest of these events, by the new rules. */
  title: string;
};
