import { conflict } from '#lib/errors.ts';
import type { ProjectScope } from '#product/artifacts/locate-script.ts';
import type { ReprocessFilter } from '#storage/ports/reprocess.ts';
import type { Stores } from '#storage/ports/stores.ts';

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
    'The disk budget of this instance has no room for these events with their source: apply the uploads to a release or an issue with fewer events, or raise ERRATA_DISK_BYTES_MAX',
  );
}
