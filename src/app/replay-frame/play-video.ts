// Runs in the frame of a replay of a mobile app, as it is: nothing here may be imported but types.
import type { FrameCommand, FrameReport, PlayableVideo } from './frame-messages.ts';

const REPORT_MS = 100;
/** The picture is set anew when it is as far away from the clock, in milliseconds. */
const DRIFT_MS_MAX = 300;

const report = (message: FrameReport): void => parent.postMessage(message, location.origin);

type Clip = { from: number; to: number; url: string };

/** In the order of the clock: one plays at a time. */
const clips: Clip[] = [];
const video = document.createElement('video');
video.muted = true;
video.playsInline = true;
video.disablePictureInPicture = true;
document.body.append(video);

let shown: Clip | null = null;
let speed = 1;
/** Where the clock stood when it was set last, and when that was. */
let clock = { at: 0, since: 0 };
let isPlaying = false;

const now = (): number => (isPlaying ? clock.at + (performance.now() - clock.since) * speed : clock.at);

function setClock(at: number, plays: boolean): void {
  clock = { at, since: performance.now() };
  isPlaying = plays;
  follow();
}

/** Between two clips the last picture of the one before stands. */
function follow(): void {
  const at = now();
  const clip = clips.findLast(({ from }) => from <= at) ?? clips[0];
  if (!clip) return;
  if (clip !== shown) {
    shown = clip;
    video.src = clip.url;
  }
  const wanted = Math.min(Math.max(0, at - clip.from), clip.to - clip.from);
  const isWithin = at >= clip.from && at < clip.to;
  if (Math.abs(video.currentTime * 1_000 - wanted) > DRIFT_MS_MAX * Math.max(1, speed) || !isPlaying) {
    video.currentTime = wanted / 1_000;
  }
  video.playbackRate = speed;
  if (isPlaying && isWithin) void video.play().catch(() => {});
  else video.pause();
}

function add({ startedAt, durationMs, bytes }: PlayableVideo, originMs: number): void {
  const from = startedAt - originMs;
  const url = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
  clips.push({ from, to: from + durationMs, url });
  clips.sort((one, other) => one.from - other.from);
  follow();
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== location.origin) return;
  const command = data as FrameCommand;
  if (command.kind === 'hello') report({ kind: 'ready' });
  if (command.kind === 'video') add(command.video, command.originMs);
  if (command.kind === 'play') setClock(command.at, true);
  if (command.kind === 'pause') setClock(command.at, false);
  if (command.kind === 'speed') {
    setClock(now(), isPlaying);
    speed = command.speed;
  }
});
video.addEventListener('loadeddata', () => report({ kind: 'shown' }));
video.addEventListener('error', () => report({ kind: 'failed', reason: 'The video cannot be played' }));
setInterval(() => {
  if (!isPlaying) return;
  follow();
  report({ kind: 'time', at: now() });
}, REPORT_MS);
report({ kind: 'ready' });
