import { expect, test } from 'vitest';
import type { RoleProcess } from '#product/machines/role-process-store.ts';
import { createEdgeMetrics, showMachines, showPartitions, showStorage } from './edge-metrics.ts';
import { makePartition, NOW_MS } from './fixtures/spool-partition.ts';

const machine = (changes: Partial<RoleProcess>): RoleProcess => ({
  machine: 'big',
  role: 'digest',
  version: '1.0.0',
  startedAt: NOW_MS,
  silentMs: 0,
  clockAheadMs: 1_500,
  ...changes,
});

/** The lines of `/metrics` about one figure. */
async function linesOf(metrics: ReturnType<typeof createEdgeMetrics>, name: string): Promise<string[]> {
  const text = await metrics.registry.getSingleMetricAsString(name);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('partitions show what waits, since when, how fast it goes, whose they are, and what was lost of all', async () => {
  const metrics = createEdgeMetrics();
  const first = makePartition({ endPosition: 15, oldestReceivedAt: NOW_MS - 2_500, recordsPerSecond: 7 });
  showPartitions(
    metrics,
    [{ ...first, lostRecords: 2 }, makePartition({ partition: 1, lostRecords: 1 })],
    NOW_MS,
  );
  // The second changes hands, and its digest knows a newer position than the last note of the end.
  showPartitions(
    metrics,
    [first, makePartition({ partition: 1, owner: null, position: 12, lostRecords: 1 })],
    NOW_MS,
  );
  expect(await linesOf(metrics, 'errata_spool_partition_waiting_records')).toEqual([
    'errata_spool_partition_waiting_records{partition="0"} 5',
    'errata_spool_partition_waiting_records{partition="1"} 0',
  ]);
  const shown = (await metrics.registry.metrics()).split('\n');
  expect(shown.filter((line) => /^errata_spool_partition.*owner=/.test(line))).toEqual([
    expect.stringMatching(/partition="0",owner="big"\} 1$/),
    expect.stringMatching(/partition="1",owner="none"\} 0$/),
  ]);
  expect(shown.filter((line) => /^errata_spool\w+\{partition="0"\} (2\.5|7)$/.test(line))).toHaveLength(2);
  expect(shown.filter((line) => /^errata_spool_\w*lost\w* 1$/.test(line))).toHaveLength(1);
});

test('machines that were not heard of for a minute are gone, and a clock that nobody knows is not shown', async () => {
  const metrics = createEdgeMetrics();
  const all = [
    machine({}),
    machine({ role: 'web', clockAheadMs: null }),
    machine({ role: 'web', clockAheadMs: null }),
    machine({ machine: 'old', silentMs: 61_000 }),
  ];
  showMachines(metrics, all);
  showMachines(metrics, all);
  const shown = (await metrics.registry.metrics()).split('\n').filter((line) => line.includes('machine="'));
  expect(shown.map((line) => line.replace(/^errata_/, '')).sort()).toEqual([
    expect.stringMatching(/\{machine="big",role="digest"\} 1\.5$/),
    expect.stringMatching(/\{machine="big",role="digest",version="1\.0\.0"\} 1$/),
    expect.stringMatching(/\{machine="big",role="web",version="1\.0\.0"\} 2$/),
  ]);
});

test('storage shows what is used of what, and how many projects may store no more bodies', async () => {
  const metrics = createEdgeMetrics();
  const full = { projectId: 1, bytes: 90, blobBytes: 40, budgetBytes: 80 };
  const free = { projectId: 2, bytes: 20, blobBytes: 5, budgetBytes: null };
  showStorage(metrics, { measuredAt: NOW_MS, usedBytes: 300, budgetBytes: 1_000, projects: [full, free] });
  const shown = (await metrics.registry.metrics()).split('\n');
  expect(shown.filter((line) => /^errata_\w+\{part="/.test(line)).map((line) => line.split('{')[1])).toEqual([
    'part="used"} 300',
    'part="budget"} 1000',
    'part="blobs"} 45',
  ]);
  expect(shown.filter((line) => /^errata_\w*refused_projects 1$/.test(line))).toHaveLength(1);
});
