import { deflateSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import {
  breadcrumb,
  element,
  mouseMove,
  packRecording,
  snapshot,
  windowSize,
} from '../../../../../test/harness/sample-replay.ts';
import { type LoadedSegment, loadRecording } from './load-recording.ts';

const ORIGIN = 1_764_000_000_000;
afterEach(() => vi.unstubAllGlobals());

const framed = (segmentId: number, kind: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ segmentId, kind, bytes: content.length })}\n`), content]);

async function load(...parts: Buffer[]): Promise<(LoadedSegment & { originMs: number })[]> {
  vi.stubGlobal('fetch', async () => new Response(Buffer.concat(parts)));
  const loaded: (LoadedSegment & { originMs: number })[] = [];
  for await (const segment of loadRecording('/recording', new AbortController().signal)) loaded.push(segment);
  return loaded;
}

test('a segment gives what is played, what happened and when somebody did something, in order', async () => {
  // SDKs write the times of spans and breadcrumbs in seconds.
  const early = { ...breadcrumb(ORIGIN + 500, { category: 'ui.click' }), timestamp: (ORIGIN + 500) / 1_000 };
  const segments = await load(
    framed(
      0,
      'recording',
      packRecording(0, [
        mouseMove(ORIGIN + 900, 1, 1),
        early,
        snapshot(ORIGIN, [], []),
        windowSize(ORIGIN),
        null as never,
      ]),
    ),
    framed(1, 'recording', packRecording(1, [mouseMove(ORIGIN + 5_000, 1, 1)])),
  );
  expect(segments.map(({ originMs }) => originMs)).toEqual([ORIGIN, ORIGIN]);
  expect(segments[0]?.events.map(({ type, timestamp }) => [type, timestamp - ORIGIN])).toEqual([
    [2, 0],
    [4, 0],
    [3, 900],
  ]);
  expect(segments[0]?.entries).toMatchObject([{ kind: 'click', at: 500 }]);
  expect(segments.map(({ activeAt }) => activeAt)).toEqual([[900], [5_000]]);
});

test.each(['video first', 'recording first'])(
  'a video is paired with the event that says when it was taken: %s',
  async (order) => {
    const event = {
      type: 5,
      timestamp: ORIGIN + 100,
      data: { tag: 'video', payload: { segmentId: 0, duration: 5_000 } },
    };
    const parts = [framed(0, 'recording', packRecording(0, [event])), framed(0, 'video', Buffer.from('mp4'))];
    if (order === 'video first') parts.reverse();
    const videos = (await load(...parts)).flatMap((segment) => segment.videos);
    expect(videos).toMatchObject([{ startedAt: ORIGIN + 100, durationMs: 5_000 }]);
    expect(Buffer.from(videos[0]!.bytes).toString()).toBe('mp4');
  },
);

test('a recording that is refused says so, and one that cannot be read plays nothing', async () => {
  expect(await load(framed(0, 'recording', Buffer.from('{}\nxx')))).toEqual([]);
  vi.stubGlobal('fetch', async () => new Response('gone', { status: 404 }));
  const { signal } = new AbortController();
  await expect(loadRecording('/recording', signal).next()).rejects.toThrow('404');
});

test('a recording of which something was left out for its size says so', async () => {
  const fits = framed(0, 'recording', packRecording(0, [windowSize(ORIGIN)]));
  const isTooLarge = Buffer.concat([
    Buffer.from('{"segment_id":1}\n'),
    deflateSync(Buffer.alloc(40 * 1024 * 1024, ' ')),
  ]);
  expect((await load(fits)).map(({ isCut }) => isCut)).toEqual([false]);
  expect((await load(fits, framed(1, 'recording', isTooLarge))).at(-1)?.isCut).toBe(true);
  // Nothing of it is played: that it was too large is known still.
  expect(await load(framed(0, 'recording', isTooLarge))).toMatchObject([{ events: [], isCut: true }]);
  const wide = Array.from({ length: 60_000 }, () => element('i', {}));
  const [cut] = await load(framed(0, 'recording', packRecording(0, [snapshot(ORIGIN, [], wide)])));
  expect(cut?.isCut).toBe(true);
});
