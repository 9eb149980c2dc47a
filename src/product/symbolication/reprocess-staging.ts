import { conflict } from '#lib/errors.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import { PairCollector } from '#product/grouping/pair-collector.ts';
import type { Stores } from '#product/stores.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { ReprocessFilter } from '#storage/ports/reprocess-events.ts';
import type { Resymbolicated } from './resymbolicate-event.ts';

/** Changed events, whose new bodies are held, between two checkpoints; a block of events is one at most. */
const CHECKPOINT_EVENTS = 256;

/** Events that changed, until the next checkpoint. */
export class ReprocessStaging {
  readonly #collector = new PairCollector();
  #events: DigestedEvent[] = [];
  #changed = 0;

  add({ event, hash: to, hasNewFrames }: Resymbolicated): void {
    const { eventId, groupingHash: hash, occurredAt, receivedAt, payload } = event;
    this.#collector.add({ eventId, hash, occurredAt, receivedAt, payload }, to, () => event.title);
    this.#changed += 1;
    if (hasNewFrames) this.#events.push(event);
  }

  get isFull(): boolean {
    return this.#changed >= CHECKPOINT_EVENTS;
  }

  take(): ReturnType<PairCollector['take']> & { events: readonly DigestedEvent[] } {
    const events = this.#events;
    this.#events = [];
    this.#changed = 0;
    return { events, ...this.#collector.take() };
  }
}

/** Lets go of the staged rows of runs that were cancelled, or whose worker died at their end. */
export async function forgetStaged({
  reprocesses,
  reprocessEvents,
}: Pick<Stores, 'reprocesses' | 'reprocessEvents'>): Promise<void> {
  const staged = await reprocessEvents.listStagedRuns();
  if (staged.length === 0) return;
  const underWay = await reprocesses.listUnderWay(staged);
  for (const runId of staged) if (!underWay.has(runId)) await reprocessEvents.forget(runId);
}

/** Below the mark from which retention drops the oldest days, of everybody. */
const BUDGET_SHARE_MAX = 0.9;
/** Each event may be written with its new frames, and once more under its new hash, before the engine lets go of the old row. */
const COPIES = 2;

/** Throws Conflict where the disk budget has no room for what a run over these events may write. */
export async function requireReprocessRoom(
  { disk, storedDays, reprocessEvents }: Pick<Stores, 'disk' | 'storedDays' | 'reprocessEvents'>,
  { organizationId, projectId }: ProjectScope,
  filter: ReprocessFilter,
): Promise<void> {
  const [usage, days] = await Promise.all([disk.measure(), storedDays.list()]);
  const stored = days.filter(({ kind }) => kind === 'events');
  const rows = stored.reduce((sum, day) => sum + day.rows, 0);
  if (rows === 0) return;
  const bytes = stored.reduce((sum, day) => sum + day.bytes, 0);
  const room = usage.budgetBytes * BUDGET_SHARE_MAX - usage.usedBytes;
  const fits = (events: number) => (events * COPIES * bytes) / rows <= room;
  if (fits(await reprocessEvents.countAtMost(organizationId, projectId, filter))) return;
  const exact = await reprocessEvents.listDays(organizationId, projectId, filter);
  if (fits(exact.reduce((sum, { events }) => sum + events, 0))) return;
  throw conflict(
    'The disk budget of this instance is too small for these events with their source: reprocess a release or an issue with fewer events, or raise ERRATA_DISK_BYTES_MAX',
  );
}
