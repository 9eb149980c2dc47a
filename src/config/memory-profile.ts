import { totalmem } from 'node:os';

const MIB = 1024 ** 2;

export const MEMORY_PROFILES = ['small', 'standard'] as const;
export type MemoryProfileName = (typeof MEMORY_PROFILES)[number];

/** Below so much memory everything is sized for a machine of 1 GB. */
const STANDARD_BYTES_MIN = 1.5 * 1024 ** 3;

type HeapBounds = {
  /** The old part of the heap, in MiB. */
  heapMiB: number;
  /** Half of the young part, in MiB. */
  youngMiB: number;
};

/** How much memory each part may take. */
export type MemoryProfile = {
  name: MemoryProfileName;
  /** Unless ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX says otherwise. */
  clickhouseBytesMax: number;
  /** Threads of one query. */
  clickhouseThreads: number;
  /** Of indexes of the event store, in bytes. */
  markCacheBytes: number;
  /** Bodies that the edge holds at once, in bytes. */
  inFlightBytesMax: number;
  postgres: Readonly<
    Record<'shared_buffers' | 'work_mem' | 'maintenance_work_mem' | 'max_connections', string>
  >;
  /** Connections of a role to PostgreSQL: this share of its usual number, and at least 2. */
  connectionShare: number;
  heaps: Readonly<Record<'prepare' | 'edge' | 'digest' | 'web' | 'jobs', HeapBounds>>;
};

const PROFILES: Readonly<Record<MemoryProfileName, MemoryProfile>> = {
  small: {
    name: 'small',
    clickhouseBytesMax: 320 * MIB,
    clickhouseThreads: 1,
    markCacheBytes: 8 * MIB,
    inFlightBytesMax: 32 * MIB,
    postgres: {
      shared_buffers: '24MB',
      work_mem: '2MB',
      maintenance_work_mem: '16MB',
      max_connections: '40',
    },
    connectionShare: 0.5,
    heaps: {
      prepare: { heapMiB: 192, youngMiB: 4 },
      edge: { heapMiB: 128, youngMiB: 8 },
      digest: { heapMiB: 192, youngMiB: 8 },
      web: { heapMiB: 256, youngMiB: 8 },
      jobs: { heapMiB: 96, youngMiB: 2 },
    },
  },
  standard: {
    name: 'standard',
    clickhouseBytesMax: 512 * MIB,
    clickhouseThreads: 2,
    markCacheBytes: 16 * MIB,
    inFlightBytesMax: 128 * MIB,
    postgres: {
      shared_buffers: '64MB',
      work_mem: '4MB',
      maintenance_work_mem: '32MB',
      max_connections: '64',
    },
    connectionShare: 1,
    heaps: {
      prepare: { heapMiB: 256, youngMiB: 8 },
      edge: { heapMiB: 320, youngMiB: 8 },
      digest: { heapMiB: 384, youngMiB: 8 },
      web: { heapMiB: 512, youngMiB: 8 },
      jobs: { heapMiB: 128, youngMiB: 4 },
    },
  },
};

export const memoryProfile = (name: MemoryProfileName): MemoryProfile => PROFILES[name];

export const chooseMemoryProfile = (machineBytes: number): MemoryProfileName =>
  machineBytes < STANDARD_BYTES_MIN ? 'small' : 'standard';

/** The memory of this machine, or of the container or service that bounds it, in bytes. */
export function readMachineBytes(constrained: number | undefined = process.constrainedMemory()): number {
  // Without a limit some systems report none, 0, or more than there is.
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}

export function parseMemoryProfile(text: string): MemoryProfileName {
  const name = MEMORY_PROFILES.find((known) => known === text);
  if (!name) throw new Error(`"${text}" is not a memory profile: ${MEMORY_PROFILES.join(' or ')}`);
  return name;
}
