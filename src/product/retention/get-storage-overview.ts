import type { Context } from '#product/context.ts';
import { RETENTION_GROUPS, type RetentionDays, type RetentionGroup } from '#protocol/retention.ts';
import type { DiskUsage, RetentionDrop } from '#storage/ports/retention.ts';
import { requireInstanceOwner } from './require-instance-owner.ts';
import { GROUP_OF_KIND } from './retention-kinds.ts';

const DROPS_SHOWN = 50;

export type StoredGroup = {
  group: RetentionGroup;
  rows: number;
  /** Rows only, compressed; bodies such as attachments lie in the blob store. */
  bytes: number;
  /** null when nothing is stored. */
  oldestDay: string | null;
};

export type StorageOverview = {
  usage: DiskUsage;
  days: RetentionDays;
  /** Every group but the statistics, which lie in PostgreSQL. */
  groups: readonly StoredGroup[];
  /** Newest first. */
  drops: readonly RetentionDrop[];
};

/** What the whole instance stores, how long, and what was dropped. For the instance's owner. */
export async function getStorageOverview(ctx: Context): Promise<StorageOverview> {
  requireInstanceOwner(ctx);
  const { disk, retention, storedDays } = ctx.stores;
  const [usage, days, stored, drops] = await Promise.all([
    disk.measure(),
    retention.findDays(),
    storedDays.list(),
    retention.listDrops(DROPS_SHOWN),
  ]);
  const groups = RETENTION_GROUPS.filter((group) => group !== 'stats').map((group): StoredGroup => {
    const own = stored.filter(({ kind }) => GROUP_OF_KIND[kind] === group);
    return {
      group,
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
      bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      oldestDay: own.map(({ day }) => day).sort()[0] ?? null,
    };
  });
  return { usage, days, groups, drops };
}
