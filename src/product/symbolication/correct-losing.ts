import type { GroupingChange } from '#product/grouping/grouping-change.ts';
import type { Stores } from '#product/stores.ts';

const HASHES_PER_STEP = 1_000;

/**
 * First and last of what hashes keep that lost events: a run reads the events that change, and not the others of their
 * hashes, so that is read off what is stored. `progress` is told of every step.
 */
export async function correctLosing(
  { reprocesses, reprocessEvents }: Pick<Stores, 'reprocesses' | 'reprocessEvents'>,
  { organizationId, projectId }: Pick<GroupingChange, 'organizationId' | 'projectId'>,
  splits: readonly { from: string }[],
  progress: () => Promise<void>,
): Promise<void> {
  const losing = [...new Set(splits.map(({ from }) => from))];
  for (let start = 0; start < losing.length; start += HASHES_PER_STEP) {
    const hashes = losing.slice(start, start + HASHES_PER_STEP);
    // Counted first: what comes meanwhile is stored before it is counted.
    const counts = await reprocesses.countHashes(projectId, hashes);
    const stored = await reprocessEvents.findSeen({ organizationId, projectId }, [...counts.keys()]);
    await reprocesses.correctSeen(
      projectId,
      stored.flatMap((seen) => {
        const counted = counts.get(seen.hash);
        return counted === undefined ? [] : [{ ...seen, counted }];
      }),
    );
    await progress();
  }
}
