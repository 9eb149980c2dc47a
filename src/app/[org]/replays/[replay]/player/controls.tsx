'use client';

import { Maximize, Pause, Play, RotateCcw, SkipForward } from 'lucide-react';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Select } from '#ui/select.tsx';
import { formatClock } from '../../recording/timeline.ts';
import { Scrubber } from './scrubber.tsx';
import { type Player, SPEEDS, type Speed } from './use-player.ts';

/** How far an arrow key goes. */
const STEP_MS = 5_000;

export function Controls({ player, onFullscreen }: { player: Player; onFullscreen: () => void }) {
  const { at, durationMs, isPlaying, speed, skips } = player;
  const changeSpeed = (step: 1 | -1) => {
    const next = SPEEDS[SPEEDS.indexOf(speed) + step];
    if (next) player.setSpeed(next);
  };
  useShortcuts({
    'replay.play': player.toggle,
    'replay.back': () => player.seek(at - STEP_MS),
    'replay.forward': () => player.seek(at + STEP_MS),
    'replay.slower': () => changeSpeed(-1),
    'replay.faster': () => changeSpeed(1),
    'replay.fullscreen': onFullscreen,
  });
  const isOver = at >= durationMs && durationMs > 0;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-3 py-2">
      <Button
        iconOnly
        variant="primary"
        aria-label={isPlaying ? 'Pause' : isOver ? 'Play again' : 'Play'}
        onClick={player.toggle}
      >
        {isPlaying ? (
          <Pause aria-hidden className="size-4" />
        ) : isOver ? (
          <RotateCcw aria-hidden className="size-4" />
        ) : (
          <Play aria-hidden className="size-4" />
        )}
      </Button>
      <span className="numbers whitespace-nowrap text-sm" data-testid="clock">
        {formatClock(at)} <span className="text-text-muted">/ {formatClock(durationMs)}</span>
      </span>
      <div className="order-first flex basis-full">
        <Scrubber player={player} />
      </div>
      <Select<`${Speed}`>
        label="Speed"
        className="ml-auto"
        value={`${speed}`}
        options={SPEEDS.map((each) => ({ value: `${each}` as const, label: `${each}×` }))}
        onValueChange={(value) => player.setSpeed(Number(value) as Speed)}
      />
      <Button
        aria-pressed={skips}
        onClick={() => player.setSkips(!skips)}
        title="Skip pauses of more than 10 seconds"
        className={skips ? 'border-accent-line text-accent' : undefined}
      >
        <SkipForward aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Skip inactivity</span>
      </Button>
      <CopyButton size="md" label="Copy link at this time" text={() => linkAt(at)} />
      <Button iconOnly aria-label="Full screen" onClick={onFullscreen}>
        <Maximize aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

function linkAt(at: number): string {
  const url = new URL(window.location.href);
  url.search = '';
  url.searchParams.set('t', String(Math.floor(at / 1_000)));
  return url.href;
}
