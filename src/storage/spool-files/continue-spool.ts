import type { SpoolReader } from '#storage/ports/spool.ts';

/**
 * A spool that continues an older one under the same name: gives what the older one holds first. `onDrained` is called
 * once, when nothing waits there any more and it has been closed. Nobody may write to the older one.
 */
export function continueSpool(older: SpoolReader, newer: SpoolReader, onDrained: () => void): SpoolReader {
  if (older.spoolId !== newer.spoolId) {
    throw new Error(`The spool ${newer.spoolId} does not continue ${older.spoolId}`);
  }
  let open: SpoolReader | null = older;
  async function closeIfDrained(): Promise<void> {
    if (!open || open.depth() > 0) return;
    const drained = open;
    open = null;
    await drained.close();
    onDrained();
  }
  return {
    spoolId: newer.spoolId,
    read(after, limits) {
      const records = open?.read(after, limits) ?? [];
      return records.length > 0 ? records : newer.read(after, limits);
    },
    async acknowledge(upTo) {
      await open?.acknowledge(upTo);
      await closeIfDrained();
      await newer.acknowledge(upTo);
    },
    depth: () => (open?.depth() ?? 0) + newer.depth(),
    async close() {
      await Promise.all([open?.close(), newer.close()]);
    },
  };
}
