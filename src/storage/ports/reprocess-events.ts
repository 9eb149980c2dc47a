import type { DigestedEvent } from '#protocol/event.ts';
import type { RegroupCursor } from './regroup-events.ts';

/** Which events are read: those that meet everything that is not null. */
export type ReprocessFilter = {
  releases: readonly string[] | null;
  hashes: readonly string[] | null;
  /** Only those on which symbolication left a reason. */
  withProblemOnly: boolean;
};

/** Events that are stored under a hash. */
export type SeenEvents = { hash: string; events: number; firstSeen: number; lastSeen: number };

/** Stored events as they are symbolicated anew. Source: ClickHouse. */
export interface ReprocessEvents {
  /** Days that hold such events, newest first, with their number. */
  listDays(
    organizationId: number,
    projectId: number,
    filter: ReprocessFilter,
  ): Promise<readonly { day: string; events: number }[]>;
  /** As the sum of `listDays`, and quick: with events that show no problem. */
  countAtMost(organizationId: number, projectId: number, filter: ReprocessFilter): Promise<number>;
  /** Events of a day by (hash, time, id), each once, after a place; without those whose body was left out. */
  readDay(
    organizationId: number,
    projectId: number,
    day: string,
    filter: ReprocessFilter,
    after: RegroupCursor['after'],
  ): AsyncIterable<readonly DigestedEvent[]>;
  /** Keeps the events' new rows under the hashes that they are stored with. The same again is harmless. */
  stage(runId: number, events: readonly DigestedEvent[]): Promise<void>;
  /** Days of staged events, newest first. */
  listStagedDays(runId: number): Promise<readonly string[]>;
  /** Staged rows of a day take the place of those that are still stored under the same hash. May be repeated. */
  replaceDay(runId: number, place: { organizationId: number; projectId: number }, day: string): Promise<void>;
  /** Runs of which staged rows are kept. */
  listStagedRuns(): Promise<readonly number[]>;
  /**
   * Lets go of what was staged, and noted as to be moved, behind a place in the order of reading: a worker died before
   * it was counted, and those events may become something else now. null for all of the run.
   */
  forgetUnsaved(runId: number, place: { day: string; after: RegroupCursor['after'] } | null): Promise<void>;
  /** Staged rows of a day. */
  forgetDay(runId: number, day: string): Promise<void>;
  forget(runId: number): Promise<void>;
  /** What is stored under the hashes; without those that nothing is stored under. */
  findSeen(
    place: { organizationId: number; projectId: number },
    hashes: readonly string[],
  ): Promise<readonly SeenEvents[]>;
}
