import type { Context } from '#product/context.ts';
import type { ImportState } from './import-state.ts';

/** What gives access: a member or a project of a team, and a key of a project. */
type Access = 'team_member' | 'team_project' | 'project_key';

/**
 * Gives to what a record became what an earlier run has not given it, so that what was taken away here stays away. `give` answers
 * whether it could: otherwise the next run tries again. `sourceId` is that of the record, `items` are named without a blank.
 */
export async function giveOnce(
  ctx: Context,
  { transferId }: ImportState,
  access: Access,
  sourceId: string,
  items: readonly string[],
  give: (item: string) => Promise<boolean>,
): Promise<void> {
  if (transferId === null) return;
  const { transfers } = ctx.stores;
  const keyOf = (item: string): string => `${item} ${sourceId}`;
  const given = await transfers.listTargets(transferId, access, items.map(keyOf));
  for (const item of items) {
    if (given.has(keyOf(item)) || !(await give(item))) continue;
    await transfers.noteTargets(transferId, access, [{ sourceId: keyOf(item), target: null }]);
  }
}
