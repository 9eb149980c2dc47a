import { describe, expect, it, vi } from 'vitest';
import type { ChangeFeed } from '#storage/ports/feeds.ts';
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

const seen = {
  userId: 'anna',
  organizationId: 1,
  projectIds: new Set([10, 11]),
  isAllowed: async () => true,
};

/** The stream of a reader who gets one. */
function follow(...reader: Parameters<typeof followChanges>): ReadableStream<Uint8Array> {
  const followed = followChanges(...reader);
  if ('busy' in followed) throw new Error(`Too many connections of the ${followed.busy}`);
  return followed;
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}

describe('followChanges', () => {
  it('tells of the projects that the reader may see, and of no others', async () => {
    const changes = feed();
    const stream = follow(changes, { ...seen, signal: new AbortController().signal });
    const reader = stream.getReader();
    await readText(reader);
    changes.tell({ organizationId: 2, projectIds: [10] });
    changes.tell({ organizationId: 1, projectIds: [99] });
    changes.tell({ organizationId: 1, projectIds: [99, 11] });
    expect(await readText(reader)).toBe('event: change\ndata: {"projectIds":[11]}\n\n');
    await reader.cancel();
  });

  it('holds no place for a reader who left before it began', () => {
    const changes = feed();
    for (let index = 0; index < 25; index++) {
      follow(changes, { ...seen, userId: 'hasty', signal: AbortSignal.abort() });
    }
    expect(changes.listeners.size).toBe(0);
  });

  it('stops listening when the reader leaves', async () => {
    const changes = feed();
    const abort = new AbortController();
    const stream = follow(changes, { ...seen, signal: abort.signal });
    expect(changes.listeners.size).toBe(1);
    abort.abort();
    expect(changes.listeners.size).toBe(0);
    await stream.cancel();
  });

  it('gives a person a bounded number of streams, and others theirs', () => {
    const changes = feed();
    const abort = new AbortController();
    const open = (userId: string) => followChanges(changes, { ...seen, userId, signal: abort.signal });
    const answers = Array.from({ length: 25 }, () => open('bob'));
    expect(answers.filter((answer) => 'busy' in answer)).toEqual(Array(5).fill({ busy: 'user' }));
    expect(open('carol')).toBeInstanceOf(ReadableStream);
    abort.abort();
    expect(open('bob')).toBeInstanceOf(ReadableStream);
  });

  it('ends at the next heartbeat after the session has ended, and not because a store is away', async () => {
    vi.useFakeTimers();
    try {
      const changes = feed();
      let answer = async () => true;
      const isAllowed = () => answer();
      const { signal } = new AbortController();
      const reader = follow(changes, { ...seen, signal, isAllowed }).getReader();
      await readText(reader);
      answer = async () => Promise.reject(new Error('no connection'));
      await vi.advanceTimersByTimeAsync(20_000);
      expect(changes.listeners.size).toBe(1);
      answer = async () => false;
      await vi.advanceTimersByTimeAsync(20_000);
      expect(changes.listeners.size).toBe(0);
      let last = await reader.read();
      while (!last.done) last = await reader.read();
      // The time that every connection ends at finds it closed.
      await vi.advanceTimersByTimeAsync(11 * 60_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('holds a bounded number of events for a reader that does not read', () => {
    const changes = feed();
    const abort = new AbortController();
    const stream = follow(changes, { ...seen, signal: abort.signal });
    for (let i = 0; i < 1000; i += 1) changes.tell({ organizationId: 1, projectIds: [10] });
    const reader = stream.getReader();
    abort.abort();
    return expect(countReady(reader)).resolves.toBeLessThanOrEqual(16);
  });

  it('tells many readers one after another, and each of all changes together', async () => {
    const READERS = 50;
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
    let drawn = 0;
    vi.spyOn(Math, 'random').mockImplementation(() => (drawn++ % READERS) / READERS);
    const changes = feed();
    const abort = new AbortController();
    const readers = Array.from({ length: READERS }, (_, index) =>
      follow(changes, { ...seen, userId: `user ${index}`, signal: abort.signal }).getReader(),
    );
    await Promise.all(readers.map(readText));
    const startedAt = performance.now();
    const toldAfter = readers.map(async (reader) => {
      expect(await readText(reader)).toBe('event: change\ndata: {"projectIds":[10,11]}\n\n');
      return performance.now() - startedAt;
    });
    changes.tell({ organizationId: 1, projectIds: [10] });
    changes.tell({ organizationId: 1, projectIds: [11, 10] });
    await vi.advanceTimersByTimeAsync(3_000);
    const times = (await Promise.all(toldAfter)).toSorted((a, b) => a - b);
    // Two seconds for fifty of them.
    expect(times.at(-1)).toBeLessThan(2_200);
    expect(times.filter((ms) => ms < 1_000).length).toBeLessThanOrEqual(26);
    abort.abort();
    vi.restoreAllMocks();
    vi.useRealTimers();
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
