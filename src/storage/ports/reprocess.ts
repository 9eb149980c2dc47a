import type { DigestedEvent, EventMetadata } from '#protocol/event.ts';
import type { RegroupCursor } from './regroup.ts';

/** Which stored events uploads are applied to. */
export type ReprocessScope =
  | { kind: 'release'; version: string }
  | { kind: 'issue'; issueId: number }
  /** Events of the bundle's releases; of a bundle without any, those that show no source. */
  | { kind: 'bundle'; bundleId: number };

/** `scanning`: nothing is regrouped yet, may be cancelled; `moving`: issues follow the new frames. */
export type ReprocessState = 'waiting' | 'scanning' | 'moving' | 'done' | 'cancelled';

export type ReprocessRun = {
  /** The number of the change of the grouping that it is. */
  id: number;
  projectId: number;
  projectSlug: string;
  scope: ReprocessScope;
  state: ReprocessState;
  user: { userId: string; name: string } | null;
  /** Milliseconds since the epoch, as all times here. */
  createdAt: number;
  finishedAt: number | null;
  /** Events that were looked at, of so many, and that show other frames now. */
  eventsSeen: number;
  eventsTotal: number;
  eventsChanged: number;
  /** Issues of the events that changed, and what they became; 0 until it is known. */
  issuesBefore: number;
  issuesAfter: number;
  /** What the last try failed with; null when it did not. */
  lastError: string | null;
};

/** Runs of symbolication over stored events. Source: PostgreSQL. */
export interface ReprocessStore {
  /** Throws Conflict while stored events of the project are being regrouped or symbolicated. */
  begin(
    organizationId: number,
    projectId: number,
    scope: ReprocessScope,
    userId: string | null,
    nowMs: number,
  ): Promise<ReprocessRun>;
  find(organizationId: number, runId: number): Promise<ReprocessRun | null>;
  /** Of the scope in any of the projects, newest first. */
  list(
    organizationId: number,
    projectIds: readonly number[],
    scope: ReprocessScope,
    limit: number,
  ): Promise<readonly ReprocessRun[]>;
  /** Hashes of an issue of the project; at most `limit`. */
  listIssueHashes(projectId: number, issueId: number, limit: number): Promise<readonly string[]>;
  /** Issues that events of the run left or came to, each with its hashes, by number. */
  listTouched(
    runId: number,
    afterIssueId: number,
    limit: number,
  ): Promise<readonly { issueId: number; hashes: readonly string[] }[]>;
  /** Calls the issue as its newest event is called now, unless a newer one came. */
  describeIssue(
    issueId: number,
    newest: { occurredAt: number; title: string; culprit: string; metadata: EventMetadata },
  ): Promise<void>;
  /** Hashes of the project that stand for others, by those, since an earlier regroup; at most `limit`. */
  listStandIns(projectId: number, limit: number): Promise<ReadonlyMap<string, string>>;
  /** Events that were counted under each; without those that none was. */
  countHashes(projectId: number, hashes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * First and last of what hashes keep that lost events, and of their issues. `counted` is what was counted when their
   * events were looked at: where more was since, everything stays; where not all of it is stored, the first one does.
   */
  correctSeen(projectId: number, seen: readonly (SeenEvents & { counted: number })[]): Promise<void>;
  /** Those of the runs that are under way. */
  listUnderWay(runIds: readonly number[]): Promise<ReadonlySet<number>>;
}

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
