'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FrameCommand, FrameReport } from '#app/replay-frame/frame-messages.ts';
import { loadRecording } from '../../recording/load-recording.ts';
import { type Entry, findIdleSpans, skipTarget } from '../../recording/timeline.ts';

export const SPEEDS = [1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

export type Player = ReturnType<typeof usePlayer>;

type Loading = 'loading' | 'loaded' | { failed: string };

/**
 * Loads a recording into the frame and moves it: the frame knows nothing but commands. Times are in milliseconds since
 * the replay began.
 */
export function usePlayer({
  recordingUrl,
  durationMs: knownDurationMs,
  initialAt,
  errors,
}: {
  recordingUrl: string;
  durationMs: number;
  initialAt: number;
  errors: readonly Entry[];
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loading, setLoading] = useState<Loading>('loading');
  const [isShown, setShown] = useState(false);
  const [at, setAt] = useState(initialAt);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const [skips, setSkips] = useState(true);
  const [recorded, setRecorded] = useState<readonly Entry[]>([]);
  const [activeAt, setActiveAt] = useState<readonly number[]>([]);
  const [loadedMs, setLoadedMs] = useState(0);
  const [isCut, setCut] = useState(false);
  /** What the frame and the loader see, which do not render. */
  const live = useRef({ at: initialAt, isPlaying: false, loadedMs: 0, isBehind: initialAt > 0 });

  const send = useCallback(
    (command: FrameCommand) => frame.current?.contentWindow?.postMessage(command, window.location.origin),
    [],
  );

  function move(to: number, plays = live.current.isPlaying): void {
    const next = Math.min(Math.max(0, to), durationMs);
    // What is not loaded yet is shown once it is.
    live.current = { ...live.current, at: next, isPlaying: plays, isBehind: next > live.current.loadedMs };
    setAt(next);
    setPlaying(plays);
    send({ kind: plays ? 'play' : 'pause', at: next });
  }

  const durationMs = Math.max(knownDurationMs, loadedMs, recorded.at(-1)?.at ?? 0);
  const isAllLoaded = loading !== 'loading';
  const idle = useMemo(() => findIdleSpans(activeAt, durationMs), [activeAt, durationMs]);

  const onReport = useRef<(report: FrameReport) => void>(() => {});
  useEffect(() => {
    onReport.current = (report) => {
      if (report.kind === 'shown') setShown(true);
      if (report.kind === 'failed') setLoading({ failed: report.reason });
      if (report.kind === 'time' && live.current.isPlaying) {
        const target = skips && isAllLoaded ? skipTarget(idle, report.at) : null;
        if (target !== null) return move(target);
        if (report.at >= durationMs && isAllLoaded) return move(durationMs, false);
        live.current.at = report.at;
        setAt(report.at);
      }
      if (report.kind === 'ended' && live.current.isPlaying) {
        if (isAllLoaded) move(durationMs, false);
        else live.current.isBehind = true;
      }
    };
  });

  useEffect(() => {
    const abort = new AbortController();
    let isReady = false;
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== window.location.origin) return;
      const report = data as FrameReport;
      if (report.kind === 'ready' && !isReady) {
        isReady = true;
        void load().catch((error: unknown) => {
          if (!abort.signal.aborted) setLoading({ failed: error instanceof Error ? error.message : '' });
        });
      }
      onReport.current(report);
    };
    const load = async () => {
      for await (const segment of loadRecording(recordingUrl, abort.signal)) {
        const { events, entries, activeAt: active, videos, originMs } = segment;
        if (segment.isCut) setCut(true);
        for (const video of videos) send({ kind: 'video', video, originMs });
        if (events.length > 0) send({ kind: 'events', events });
        const ends = [
          ...events.slice(-1).map((event) => event.timestamp - originMs),
          ...videos.map((video) => video.startedAt + video.durationMs - originMs),
        ];
        const { current } = live;
        current.loadedMs = Math.max(current.loadedMs, ...ends);
        setLoadedMs(current.loadedMs);
        if (entries.length > 0) setRecorded((before) => merge(before, entries));
        if (active.length > 0) setActiveAt((before) => [...before, ...active]);
        if (current.isBehind && current.loadedMs >= current.at) {
          current.isBehind = false;
          send({ kind: current.isPlaying ? 'play' : 'pause', at: current.at });
        }
      }
      setLoading((before) => (before === 'loading' ? 'loaded' : before));
      if (live.current.isBehind)
        send({ kind: live.current.isPlaying ? 'play' : 'pause', at: live.current.at });
    };
    window.addEventListener('message', onMessage);
    send({ kind: 'hello' });
    return () => {
      abort.abort();
      window.removeEventListener('message', onMessage);
    };
  }, [recordingUrl, send]);

  const entries = useMemo(() => merge(recorded, errors), [recorded, errors]);
  return {
    frame,
    loading,
    isShown,
    isCut,
    at,
    isPlaying,
    speed,
    skips,
    durationMs,
    loadedMs,
    entries,
    idle,
    seek: (to: number) => move(to),
    toggle: () => move(at >= durationMs ? 0 : at, !isPlaying),
    setSkips,
    setSpeed(next: Speed) {
      setSpeed(next);
      send({ kind: 'speed', speed: next });
    },
  };
}

/** Both in order of time; the later list is mostly later. */
function merge(one: readonly Entry[], other: readonly Entry[]): readonly Entry[] {
  const all = [...one, ...other];
  const isInOrder = one.length === 0 || other.length === 0 || one.at(-1)!.at <= other[0]!.at;
  return isInOrder ? all : all.sort((a, b) => a.at - b.at);
}
