import { requireInstanceOwner } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import type { SpoolPartition } from '#product/spool/spool-partition-store.ts';
import { RETENTION_GROUPS, type RetentionDays, type RetentionGroup } from '#protocol/retention.ts';
import { BLOB_SHARE, type BlobRefusal, findBlobRefusal, indexStorage } from '#protocol/storage-budget.ts';
import type { DiskUsage } from '#storage/ports/stored-days.ts';
import { GROUP_OF_KIND } from './storage-settings.ts';
import type { RetentionDrop } from './store/retention-store.ts';

const DROPS_SHOWN = 50;

export type StoredGroup = {
  group: RetentionGroup;
  rows: number;
  /** Rows only, compressed; bodies such as attachments lie in the blob store. */
  bytes: number;
  /** null when nothing is stored. */
  oldestDay: string | null;
};

export type ProjectStorage = {
  projectId: number;
  /** `organization/project`; the number of a project that was deleted. */
  name: string;
  /** Events and telemetry. */
  rowBytes: number;
  blobBytes: number;
  /** What a person decided; null for an automatic share. */
  budgetBytes: number | null;
  /** Why new attachments and other bodies are refused now; null when they are taken. */
  refusal: BlobRefusal | null;
};

export type NamedDrop = RetentionDrop & {
  /** null for a day of all projects. */
  projectName: string | null;
};

export type StorageOverview = {
  usage: DiskUsage;
  days: RetentionDays;
  /** Every group but the statistics, which lie in PostgreSQL. */
  groups: readonly StoredGroup[];
  /** The heaviest first; empty until the disk was measured. */
  projects: readonly ProjectStorage[];
  /** Of all blobs together, and of what they may occupy; null when they lie on no disk of this machine. */
  blobs: { bytes: number; bytesMax: number } | null;
  /** Of the Kafka topic between edge and digest; empty where the spool is files. */
  partitions: readonly SpoolPartition[];
  /** Newest first. */
  drops: readonly NamedDrop[];
};

/** What the whole instance stores, how long, and what was dropped. For the instance's owner. */
export async function getStorageOverview(ctx: Context): Promise<StorageOverview> {
  requireInstanceOwner(ctx);
  const { blobs, disk, retention, spoolPartitions, storedDays } = ctx.stores;
  const [usage, days, stored, drops, state, budgets, partitions] = await Promise.all([
    disk.measure(),
    retention.findDays(),
    storedDays.list(),
    retention.listDrops(DROPS_SHOWN),
    retention.findState(),
    retention.findBudgets(),
    spoolPartitions.list(),
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
  const measured = state?.projects ?? [];
  const index = state && indexStorage(state);
  const ids = [...measured, ...drops].flatMap(({ projectId }) => (projectId === null ? [] : [projectId]));
  const names = new Map(
    (await retention.nameProjects([...new Set(ids)])).map((each) => [
      each.projectId,
      `${each.organizationSlug}/${each.projectSlug}`,
    ]),
  );
  const nameOf = (projectId: number) => names.get(projectId) ?? `deleted project ${projectId}`;
  const projects = measured
    .map(
      ({ projectId, bytes, blobBytes }): ProjectStorage => ({
        projectId,
        name: nameOf(projectId),
        rowBytes: Math.max(0, bytes - blobBytes),
        blobBytes,
        // What was decided since the measurement shows at once.
        budgetBytes: budgets.get(projectId) ?? null,
        refusal: index && blobs.isLocal ? findBlobRefusal(index, projectId) : null,
      }),
    )
    .sort((a, b) => b.rowBytes + b.blobBytes - a.rowBytes - a.blobBytes);
  return {
    usage,
    days,
    groups,
    projects,
    blobs: blobs.isLocal
      ? {
          bytes: projects.reduce((sum, { blobBytes }) => sum + blobBytes, 0),
          bytesMax: usage.budgetBytes * BLOB_SHARE,
        }
      : null,
    partitions,
    drops: drops.map((drop) => ({
      ...drop,
      projectName: drop.projectId === null ? null : nameOf(drop.projectId),
    })),
  };
}
