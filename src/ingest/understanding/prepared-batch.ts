import type { OutcomeCount } from '#protocol/outcome.ts';
import { isPerformanceIssueType } from '#protocol/performance-issue.ts';
import { TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import type { QuarantineEntry } from '#storage/ports/digest.ts';
import type { PreparedEvent } from '#storage/ports/events.ts';
import type { RecentIds } from '#storage/ports/spool.ts';
import type { DetectionBudget } from '../detection-budget.ts';
import type { UnderstoodRecord } from './understand-record.ts';

/** Records of a spool that follow each other, understood: ready to be stored. */
export type PreparedBatch = {
  spoolId: string;
  /** Position before the first record. */
  from: number;
  /** Position of the last record. */
  to: number;
  events: PreparedEvent[];
  rows: TelemetryRows;
  blobs: { key: string; bytes: Uint8Array }[];
  /** Event ids that the batch brings, each with the position of its record. */
  ids: { projectId: number; eventId: string; position: number }[];
  /** Which events may be stored already: this record had been worked on before a crash. */
  replayed: PreparedEvent[];
  outcomes: OutcomeCount[];
  quarantine: QuarantineEntry[];
};

export type OrderDeps = {
  recentIds: Pick<RecentIds, 'find'>;
  /** How many problems are looked for in transactions; absent for none. */
  detection?: Pick<DetectionBudget, 'hasRoom' | 'spend'>;
};

/** Gathers records in the order of the spool, and knows what that order decides. */
export class BatchBuilder {
  readonly batch: PreparedBatch;
  readonly #deps: OrderDeps;
  readonly #inBatch = new Set<string>();
  /** By `projectId:eventId`; each id is asked for once. */
  readonly #positions = new Map<string, number | null>();

  constructor(deps: OrderDeps, spoolId: string, from: number, to: number) {
    this.#deps = deps;
    this.batch = {
      spoolId,
      from,
      to,
      events: [],
      rows: Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, []])) as unknown as TelemetryRows,
      blobs: [],
      ids: [],
      replayed: [],
      outcomes: [],
      quarantine: [],
    };
  }

  /** Whether an event of this id came before the record, in its batch or earlier. */
  isKnown(
    record: { projectId: number; isReplay: boolean; receivedAtMs: number; position: number },
    eventId: string,
  ): boolean {
    if (this.#inBatch.has(`${record.projectId}:${eventId}`)) return true;
    if (record.isReplay) return false;
    const position = this.#findPosition(record.projectId, eventId);
    // What another process has stored but not counted is this record itself.
    return position !== null && position !== record.position && position !== -record.receivedAtMs;
  }

  mayDetect(record: { projectId: number; receivedAtMs: number; position: number }): boolean {
    return this.#deps.detection?.hasRoom(record.projectId, record.receivedAtMs, record.position) ?? false;
  }

  add({
    organizationId,
    projectId,
    keyId,
    receivedAtMs,
    position,
    outcomes,
    result,
    isImport,
  }: UnderstoodRecord): void {
    const { batch } = this;
    const origin = { organizationId, projectId, keyId, at: receivedAtMs };
    for (const outcome of outcomes) batch.outcomes.push({ ...origin, ...outcome });
    if (!result) return;
    for (const outcome of result.outcomes) batch.outcomes.push({ ...origin, ...outcome });
    for (const event of result.events) {
      if (this.#findPosition(projectId, event.eventId) !== null) batch.replayed.push(event);
      if (isImport) event.isImport = true;
      batch.events.push(event);
    }
    this.#deps.detection?.spend(projectId, receivedAtMs, position, countDetected(result));
    for (const { eventId } of [...result.events, ...result.rows.transactions]) {
      this.#inBatch.add(`${projectId}:${eventId}`);
      batch.ids.push({ projectId, eventId, position });
    }
    batch.blobs.push(...result.blobs);
    for (const kind of TELEMETRY_KINDS) {
      for (const row of result.rows[kind]) (batch.rows[kind] as unknown[]).push(row);
    }
  }

  #findPosition(projectId: number, eventId: string): number | null {
    const key = `${projectId}:${eventId}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    const position = this.#deps.recentIds.find(projectId, eventId);
    this.#positions.set(key, position);
    return position;
  }
}

/** Events that were made of problems found in transactions. */
export const countDetected = ({ events }: { events: readonly PreparedEvent[] }): number =>
  events.filter((event) => isPerformanceIssueType(event.type) && event.payload.occurrence).length;
