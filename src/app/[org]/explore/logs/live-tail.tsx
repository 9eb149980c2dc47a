'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { Pause, Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { formatPlural } from '#ui/format-number.ts';
import type { RowsPlace } from '../rows/rows-state.ts';
import { type FollowedLines, followLogsAction } from './actions.ts';
import { LogEntry } from './log-entry.tsx';
import { LINES_MAX, type LogLine, withNewLines } from './log-line.ts';

/** The pause between two looks at what is new; as long as the look took, where that is longer: a busy server is asked less. */
const PAUSE_MS = 150;
/** While the page is hidden. */
const HIDDEN_PAUSE_MS = 2_000;
const LINE_HEIGHT_PX = 33;

/** Lines as they are written, the newest at the end. Paused, they wait; scrolled up, the place is kept. */
export function LiveTail({ place, onStop }: { place: RowsPlace; onStop: () => void }) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [isPaused, setIsPaused] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isCut, setIsCut] = useState(false);
  // The search that is followed is the one that the page was opened with.
  const asked = useRef(questionOf(place));
  // Outlives a pause, so that what is written meanwhile comes afterwards.
  const sinceMs = useRef(0);

  useEffect(() => {
    if (isPaused) return;
    let isOver = false;
    if (sinceMs.current === 0) sinceMs.current = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const askedAt = performance.now();
      const answer = await followLogsAction({ ...asked.current, sinceMs: sinceMs.current }).catch(
        (): FollowedLines => ({ ok: false, reason: 'The server can’t be reached: trying again.' }),
      );
      if (isOver) return;
      if (answer.ok) {
        sinceMs.current = Math.max(sinceMs.current, answer.lines.at(-1)?.atMs ?? 0);
        setLines((before) => withNewLines(before, answer.lines));
        setIsCut(answer.isCut);
      }
      setProblem(answer.ok ? null : answer.reason);
      const pauseMs = Math.max(PAUSE_MS, performance.now() - askedAt);
      timer = setTimeout(look, document.hidden ? HIDDEN_PAUSE_MS : pauseMs);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isPaused]);

  return (
    <section aria-label="Live tail">
      <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2 text-sm">
        <span className="mr-auto text-text-muted" role="status">
          {isPaused ? 'Paused' : 'Following'}: {formatPlural(lines.length, 'line')}
          {lines.length === LINES_MAX ? ', older ones were dropped' : ''}
        </span>
        <Button size="sm" onClick={() => setIsPaused(!isPaused)}>
          {isPaused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button size="sm" variant="ghost" onClick={onStop}>
          <Square aria-hidden className="size-3.5" />
          Stop
        </Button>
      </div>
      {problem ? (
        <p role="alert" className="break-anything border-b px-4 py-2 text-danger text-xs">
          {problem}
        </p>
      ) : null}
      {isCut ? (
        <p className="border-b px-4 py-2 text-text-muted text-xs">
          More lines arrive than can be followed: narrow the search to see each of them.
        </p>
      ) : null}
      <TailLines place={place} lines={lines} isPaused={isPaused} />
    </section>
  );
}

const questionOf = ({ organizationSlug, state: { query, filters, fields } }: RowsPlace) => ({
  organizationSlug,
  query,
  projectSlugs: filters.projects,
  environments: filters.environments,
  columns: fields,
});

function TailLines({
  place,
  lines,
  isPaused,
}: {
  place: RowsPlace;
  lines: readonly LogLine[];
  isPaused: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 10,
  });
  const last = lines.at(-1)?.id;
  useEffect(() => {
    if (last !== undefined && isAtEnd.current && !isPaused) {
      virtualizer.scrollToIndex(virtualizer.options.count - 1, { align: 'end' });
    }
  }, [last, isPaused, virtualizer]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      ref={box}
      role="group"
      aria-label="Lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 2 * LINE_HEIGHT_PX;
      }}
      className="h-[60vh] overflow-y-auto"
    >
      {lines.length === 0 ? (
        <p className="px-4 py-8 text-center text-sm text-text-muted">
          Waiting for lines that match the search …
        </p>
      ) : (
        <ol aria-label="Logs" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          <div
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${virtualizer.getVirtualItems()[0]?.start ?? 0}px)` }}
          >
            {virtualizer.getVirtualItems().map(({ index, key }) => {
              const line = lines[index];
              return line ? (
                <LogEntry
                  key={key}
                  place={place}
                  line={line}
                  measure={virtualizer.measureElement}
                  index={index}
                />
              ) : null;
            })}
          </div>
        </ol>
      )}
    </div>
  );
}
