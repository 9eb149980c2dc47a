import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { SILENT_MS_MAX } from '#product/machines/describe-machines.ts';
import type { RoleProcess } from '#product/machines/role-process-store.ts';
import type { SpoolPartition } from '#product/spool/spool-partition-store.ts';
import { findBlobRefusal, indexStorage, type StorageState } from '#protocol/storage-budget.ts';

export type RoleMetrics = ReturnType<typeof createRoleMetrics>;
export type EdgeMetrics = ReturnType<typeof createEdgeMetrics>;

/** What `/metrics` shows of the edge; other roles' figures are set by the composition root. */
export function createEdgeMetrics() {
  const shared = createRoleMetrics();
  const { registry } = shared;
  collectDefaultMetrics({ register: registry, prefix: 'errata_edge_' });
  return {
    ...shared,
    connections: new Gauge({
      name: 'errata_edge_connections',
      help: 'Open connections.',
      registers: [registry],
    }),
    webRequests: new Gauge({
      name: 'errata_edge_web_requests',
      help: 'Requests forwarded to the web role, by lane and whether they are queued.',
      labelNames: ['lane', 'state'] as const,
      registers: [registry],
    }),
    spoolBytes: new Gauge({
      name: 'errata_spool_bytes',
      help: 'Bytes waiting between edge and digest.',
      registers: [registry],
    }),
    closedConnections: new Counter({
      name: 'errata_edge_connections_closed_total',
      help: 'Connections closed to make room for new ones at the connection limit.',
      registers: [registry],
    }),
    webRefused: new Counter({
      name: 'errata_edge_web_refused_total',
      help: 'Requests for the web role rejected with 429 or 503, by lane and by who had too many in progress.',
      labelNames: ['lane', 'busy'] as const,
      registers: [registry],
    }),
    answers: new Counter({
      name: 'errata_ingest_answers_total',
      help: 'Ingest requests by route and status.',
      labelNames: ['route', 'status'] as const,
      registers: [registry],
    }),
    seconds: new Histogram({
      name: 'errata_ingest_seconds',
      help: 'Time from request to response, including the sync to disk.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    }),
    spoolPartitionLag: new Gauge({
      name: 'errata_spool_partition_waiting_records',
      help: 'Records of a partition of the Kafka topic that wait for digest.',
      labelNames: ['partition'] as const,
      registers: [registry],
    }),
    spoolPartitionAge: new Gauge({
      name: 'errata_spool_partition_oldest_seconds',
      help: 'Age of the first record of a partition that waits for digest; 0 when none waits.',
      labelNames: ['partition'] as const,
      registers: [registry],
    }),
    spoolPartitionRate: new Gauge({
      name: 'errata_spool_partition_records_per_second',
      help: 'Records of a partition that digest stores in a second.',
      labelNames: ['partition'] as const,
      registers: [registry],
    }),
    spoolPartitionOwned: new Gauge({
      name: 'errata_spool_partition_owned',
      help: '1 while a digest has the partition, by its machine.',
      labelNames: ['partition', 'owner'] as const,
      registers: [registry],
    }),
    spoolLost: new Gauge({
      name: 'errata_spool_lost_records',
      help: 'Records that the Kafka topic lost before they were read, since it was made.',
      registers: [registry],
    }),
    clockAhead: new Gauge({
      name: 'errata_machine_clock_ahead_seconds',
      help: "How far the clock of a machine is ahead of PostgreSQL's; negative when it is behind.",
      labelNames: ['machine', 'role'] as const,
      registers: [registry],
    }),
    roleProcesses: new Gauge({
      name: 'errata_role_processes',
      help: 'Processes of a role that were heard of in the last minute, by machine and version.',
      labelNames: ['machine', 'role', 'version'] as const,
      registers: [registry],
    }),
    storageBytes: new Gauge({
      name: 'errata_storage_bytes',
      help: 'Data directory size at the last measurement: used, blobs (part of used), and the budget.',
      labelNames: ['part'] as const,
      registers: [registry],
    }),
    blobsRefusedProjects: new Gauge({
      name: 'errata_storage_blobs_refused_projects',
      help: 'Projects whose attachments, recordings, profiles, and dumps are rejected because of the disk budget.',
      registers: [registry],
    }),
  };
}

/** What `/metrics` shows of any machine: which of its parts respond, and how far its digest is. */
export function createRoleMetrics() {
  const registry = new Registry();
  return {
    registry,
    digestDepth: new Gauge({
      name: 'errata_digest_waiting_records',
      help: 'Records waiting for digest.',
      registers: [registry],
    }),
    digestEvents: new Gauge({
      name: 'errata_digest_events',
      help: 'Events stored since digest started.',
      registers: [registry],
    }),
    digestQuarantined: new Gauge({
      name: 'errata_digest_quarantined',
      help: 'Items quarantined since digest started.',
      registers: [registry],
    }),
    up: new Gauge({
      name: 'errata_up',
      help: '1 if the role or store responds.',
      labelNames: ['part'] as const,
      registers: [registry],
    }),
  };
}

export function showDigest(metrics: RoleMetrics, digest: DigestProgress): void {
  metrics.digestDepth.set(digest.depth);
  metrics.digestEvents.set(digest.events);
  metrics.digestQuarantined.set(digest.quarantined);
}

type DigestProgress = {
  /** Records that wait. */
  depth: number;
  /** Since digest started, as quarantined. */
  events: number;
  quarantined: number;
};

export function showPartitions(
  metrics: EdgeMetrics,
  partitions: readonly SpoolPartition[],
  nowMs: number,
): void {
  // Owners come and go.
  metrics.spoolPartitionOwned.reset();
  for (const { partition, owner, position, endPosition, oldestReceivedAt, recordsPerSecond } of partitions) {
    const label = { partition: String(partition) };
    const ageMs = oldestReceivedAt === null ? 0 : Math.max(0, nowMs - oldestReceivedAt);
    metrics.spoolPartitionLag.set(label, Math.max(0, endPosition - position));
    metrics.spoolPartitionAge.set(label, ageMs / 1_000);
    metrics.spoolPartitionRate.set(label, recordsPerSecond);
    metrics.spoolPartitionOwned.set({ ...label, owner: owner ?? 'none' }, owner === null ? 0 : 1);
  }
  metrics.spoolLost.set(partitions.reduce((sum, { lostRecords }) => sum + lostRecords, 0));
}

export function showMachines(metrics: EdgeMetrics, processes: readonly RoleProcess[]): void {
  // Machines come and go.
  metrics.clockAhead.reset();
  metrics.roleProcesses.reset();
  for (const { machine, role, version, silentMs, clockAheadMs } of processes) {
    if (silentMs > SILENT_MS_MAX) continue;
    metrics.roleProcesses.inc({ machine, role, version });
    if (clockAheadMs !== null) metrics.clockAhead.set({ machine, role }, clockAheadMs / 1_000);
  }
}

export function showStorage(metrics: EdgeMetrics, state: StorageState): void {
  const { projects, usedBytes, budgetBytes } = state;
  const index = indexStorage(state);
  metrics.storageBytes.set({ part: 'used' }, usedBytes);
  metrics.storageBytes.set({ part: 'budget' }, budgetBytes);
  metrics.storageBytes.set({ part: 'blobs' }, index.blobBytes);
  const refused = projects.filter(({ projectId }) => findBlobRefusal(index, projectId) !== null);
  metrics.blobsRefusedProjects.set(refused.length);
}
