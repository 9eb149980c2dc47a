import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteReplay } from '#product/replays/delete-replay.ts';
import { getReplay, listReplays } from '#product/replays/replays.ts';
import { streamRecording } from '#product/replays/stream-recording.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { type Filled, openFilledProduct } from './fill-telemetry.ts';

let filled: Filled;
beforeAll(async () => {
  filled = await openFilledProduct();
});
afterAll(async () => {
  await filled?.product.close();
});

/** A replay of `web` with two segments, of which the second is no longer stored, and a video. */
async function newReplay() {
  const { product, mine, web } = filled;
  const replayId = newEventId();
  const origin = { organizationId: mine.id, projectId: web.id, receivedAt: NOON_MS, replayId };
  const keyOf = (name: string) => `2026-03-01/${web.id}/${replayId}-${name}`;
  const segment = (segmentId: number, kind: 'recording' | 'video') =>
    makeRow('replaySegments', { ...origin, segmentId, kind, blobKey: keyOf(`${segmentId}-${kind}`) });
  const segments = [segment(0, 'recording'), segment(0, 'video'), segment(1, 'recording')];
  for (const { blobKey } of segments.slice(0, 2)) {
    await product.stores.blobs.put(blobKey, Buffer.from(blobKey.slice(-10)));
  }
  await product.stores.telemetry.insert(
    { replays: [makeRow('replays', origin)], replaySegments: segments },
    replayId,
  );
  return { replayId, keys: segments.map(({ blobKey }) => blobKey) };
}

test('a recording is streamed in its order, without what is no longer stored', async () => {
  const { replayId } = await newReplay();
  const stream = await streamRecording(filled.member, { projectSlug: 'web', replayId });
  expect(await text(stream)).toBe(
    '{"segmentId":0,"kind":"recording","bytes":10}\n-recording{"segmentId":0,"kind":"video","bytes":10}\n-0-video'.replace(
      '-0-video',
      `${replayId}-0-video`.slice(-10),
    ),
  );
});

test('a deleted replay leaves no rows and no blobs, and another organization cannot delete it', async () => {
  const { product, mine, stranger } = filled;
  const { replayId, keys } = await newReplay();
  const manager = { ...filled.member, ...(await product.join(mine, 'manager')) };
  const input = { projectSlug: 'web', replayId };
  await expect(deleteReplay(stranger, input)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteReplay(filled.member, input)).rejects.toMatchObject({ code: 'forbidden' });
  await deleteReplay(manager, input);
  await expect(getReplay(manager, { projectSlugs: [], replayId })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(streamRecording(manager, input)).rejects.toMatchObject({ code: 'not_found' });
  for (const key of keys) expect(await product.stores.blobs.size(key)).toBeNull();
  await expect(deleteReplay(manager, input)).rejects.toMatchObject({ code: 'not_found' });
});

test('a search that is too long is refused', async () => {
  const filter = { text: 'x'.repeat(251), environments: [], having: [], durationMsMin: 0 };
  await expect(
    listReplays(filled.member, { projectSlugs: [], cursor: null, limit: 5, filter }),
  ).rejects.toMatchObject({ code: 'invalid' });
});
