import { expect, test } from 'vitest';
import { packReplayVideo } from '#pipeline/replays/unpack-replay-video.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { buildEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { breadcrumb, packRecording } from '../../harness/sample-replay.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const CLIP_MS = 2_000;

test('the videos of a mobile app play on one clock, with what happened beside them', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, dsn } = await makeProject('replay-video');
  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  const clip = await recordClip(page);
  const replayId = newEventId();
  const startedAt = Date.now() - 60_000;
  for (const segmentId of [0, 1]) {
    // A second lies between the two.
    const at = startedAt + segmentId * (CLIP_MS + 1_000);
    const video = {
      type: 5,
      timestamp: at,
      data: { tag: 'video', payload: { segmentId, duration: CLIP_MS, size: clip.length, left: 0, top: 0 } },
    };
    const event = {
      event_id: replayId,
      replay_id: replayId,
      type: 'replay_event',
      segment_id: segmentId,
      timestamp: (at + CLIP_MS) / 1_000,
      replay_start_timestamp: startedAt / 1_000,
      platform: 'java',
      user: { username: 'mobile' },
    };
    const tap = breadcrumb(at + 500, { category: 'ui.tap', message: `button ${segmentId}` });
    const payload = packReplayVideo({
      event: Buffer.from(JSON.stringify(event)),
      recording: packRecording(segmentId, [video, tap]),
      video: clip,
    });
    const envelope = buildEnvelope({ event_id: replayId }, [{ type: 'replay_video', payload }]);
    expect((await postEnvelope(parseDsn(dsn), envelope)).status).toBe(200);
  }
  await until('both segments are stored', async () => {
    const { body } = await api.request('GET', `/api/0/organizations/main/replays/${replayId}/`);
    return (body as { data?: { count_segments: number } }).data?.count_segments === 2;
  });

  await keepingScreenshot(page, 'replay-video', async () => {
    await page.goto(`${errata.url}/main/replays/${replayId}`);
    await hydrated(page);
    const video = page.frameLocator('iframe[title="Recording"]').locator('video');
    const state = () =>
      video.evaluate((each: HTMLVideoElement) => ({
        ready: each.readyState >= 2,
        src: each.src,
        at: each.currentTime,
      }));
    await expect.poll(async () => (await state()).ready, { timeout: 15_000 }).toBe(true);
    const first = await state();
    await page.getByText('button 1').waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(async () => (await state()).at).toBeGreaterThan(0.3);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: /^Go to 0:03/ }).click();
    await expect.poll(async () => (await state()).src).not.toBe(first.src);
    await expect.poll(async () => (await state()).at).toBeCloseTo(0.5, 0);
  });
});

/** A short video of a square that moves, as this browser records it. */
async function recordClip(page: import('playwright-core').Page): Promise<Buffer> {
  const base64 = await page.evaluate(async (ms) => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    let x = 0;
    const timer = setInterval(() => {
      if (!context) return;
      context.fillStyle = '#fff';
      context.fillRect(0, 0, 300, 150);
      context.fillStyle = '#c33';
      context.fillRect(x++, 20, 60, 60);
    }, 30);
    const recorder = new MediaRecorder(canvas.captureStream(20));
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const isOver = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    await new Promise((resolve) => setTimeout(resolve, ms));
    recorder.stop();
    await isOver;
    clearInterval(timer);
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, CLIP_MS);
  return Buffer.from(base64, 'base64');
}
