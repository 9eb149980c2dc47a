import { describe, expect, it } from 'vitest';
import type { ChangeFeed } from '#storage/ports/digest.ts';
import { followChanges } from './follow-changes.ts';

type Listener = Parameters<ChangeFeed['subscribe']>[0];

function feed(): ChangeFeed & { tell: Listener; listeners: Set<Listener> } {
  const listeners = new Set<Listener>();
  return {
    listeners,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(change) {
      for (const listener of listeners) listener(change);
    },
  };
}

const seen = { organizationId: 1, projectIds: new Set([10, 11]) };

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}

describe('followChanges', () => {
  it('tells of the projects that the reader may see, and of no others', async () => {
    const changes = feed();
    const stream = followChanges(changes, { ...seen, signal: new AbortController().signal });
    const reader = stream!.getReader();
    await readText(reader);
    changes.tell({ organizationId: 2, projectIds: [10] });
    changes.tell({ organizationId: 1, projectIds: [99] });
    changes.tell({ organizationId: 1, projectIds: [99, 11] });
    expect(await readText(reader)).toBe('event: change\ndata: {"projectIds":[11]}\n\n');
    await reader.cancel();
  });

  it('stops listening when the reader leaves', async () => {
    const changes = feed();
    const abort = new AbortController();
    const stream = followChanges(changes, { ...seen, signal: abort.signal });
    expect(changes.listeners.size).toBe(1);
    abort.abort();
    expect(changes.listeners.size).toBe(0);
    await stream!.cancel();
  });

  it('holds a bounded number of events for a reader that does not read', () => {
    const changes = feed();
    const abort = new AbortController();
    const stream = followChanges(changes, { ...seen, signal: abort.signal });
    for (let i = 0; i < 1000; i += 1) changes.tell({ organizationId: 1, projectIds: [10] });
    const reader = stream!.getReader();
    abort.abort();
    return expect(countReady(reader)).resolves.toBeLessThanOrEqual(16);
  });

  it('tells many readers one after another, and each of all changes together', async () => {
    const READERS = 50;
    const changes = feed();
    const abort = new AbortController();
    const readers = Array.from({ length: READERS }, () =>
      followChanges(changes, { ...seen, signal: abort.signal })!.getReader(),
    );
    await Promise.all(readers.map(readText));
    const startedAt = performance.now();
    const toldAfter = readers.map(async (reader) => {
      expect(await readText(reader)).toBe('event: change\ndata: {"projectIds":[10,11]}\n\n');
      return performance.now() - startedAt;
    });
    changes.tell({ organizationId: 1, projectIds: [10] });
    changes.tell({ organizationId: 1, projectIds: [11, 10] });
    const times = (await Promise.all(toldAfter)).toSorted((a, b) => a - b);
    // Two seconds for fifty of them.
    expect(times.at(-1)).toBeLessThan(3_000);
    expect((times[READERS - 5] ?? 0) - (times[5] ?? 0)).toBeGreaterThan(700);
    abort.abort();
  });
});

async function countReady(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  for (let count = 0; ; count += 1) {
    const next = await Promise.race([
      reader.read(),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), 20)),
    ]);
    if (next === null || next.done) return count;
  }
}
