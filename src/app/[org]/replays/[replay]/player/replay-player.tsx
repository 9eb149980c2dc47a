'use client';

import { useRef } from 'react';
import type { Entry } from '../../recording/timeline.ts';
import { Controls } from './controls.tsx';
import { SidePanel } from './side-panel.tsx';
import { usePlayer } from './use-player.ts';

/**
 * The recording with its controls, and what happened beside it. The recording is played in a frame of its own, which
 * runs nothing that was recorded and loads nothing: docs/decisions/0053-replays-play-in-isolation.md.
 */
export function ReplayPlayer({
  organizationSlug,
  recordingUrl,
  isVideo,
  durationMs,
  initialAt,
  errors,
  tags,
  traceIds,
}: {
  organizationSlug: string;
  recordingUrl: string;
  /** A mobile app sends videos instead of its elements. */
  isVideo: boolean;
  durationMs: number;
  /** Milliseconds since the replay began. */
  initialAt: number;
  errors: readonly Entry[];
  tags: readonly (readonly [string, string])[];
  traceIds: readonly string[];
}) {
  const player = usePlayer({ recordingUrl, durationMs, initialAt, errors });
  const stage = useRef<HTMLDivElement>(null);
  const toggleFullscreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void stage.current?.requestFullscreen?.().catch(() => {});
  };
  return (
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <div
        ref={stage}
        className="flex min-w-0 flex-col overflow-hidden rounded-lg border bg-surface-raised [&:fullscreen]:rounded-none"
      >
        <div className="relative aspect-[16/10] min-h-0 w-full grow bg-surface-sunken">
          <iframe
            ref={player.frame}
            src={isVideo ? '/replay-frame/video' : '/replay-frame'}
            title="Recording"
            inert
            className="absolute inset-0 size-full"
          />
          <Status player={player} />
        </div>
        {player.isCut && player.isShown ? (
          <p role="status" className="border-t px-4 py-2 text-text-muted text-xs">
            {TOO_LARGE}
          </p>
        ) : null}
        <Controls player={player} onFullscreen={toggleFullscreen} />
      </div>
      <SidePanel player={player} organizationSlug={organizationSlug} tags={tags} traceIds={traceIds} />
    </div>
  );
}

const TOO_LARGE = 'This recording is larger than what can be played: parts of it are left out.';

/** Over the picture as long as there is none. */
function Status({ player: { loading, isShown, isCut, loadedMs } }: { player: ReturnType<typeof usePlayer> }) {
  const text = isShown
    ? ''
    : typeof loading === 'object'
      ? `Couldn’t play this replay. ${loading.failed}`
      : loading === 'loading' || loadedMs > 0
        ? 'Loading the recording…'
        : isCut
          ? 'This recording is too large to be played.'
          : 'No recording is stored for this replay. It may be past its retention period, or recordings are discarded in the privacy settings.';
  return (
    <p
      role="status"
      className={
        text === ''
          ? 'sr-only'
          : 'absolute inset-0 grid place-items-center bg-surface-sunken p-6 text-center text-sm text-text-muted'
      }
    >
      {text}
    </p>
  );
}
