import type { Stores } from '#storage/ports/stores.ts';

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
