'use client';

import { ChevronDown, ChevronsDownUp, ChevronsUpDown, ChevronUp, Search, ZoomOut } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { cx } from '#ui/cx.ts';
import { Input } from '#ui/field.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact } from '#ui/format-number.ts';
import { placeIn, type TimeWindow, ticksOf } from './time-window.ts';
import type { useWaterfall } from './use-waterfall.ts';

/** The search in the spans, and how they are shown. */
export function WaterfallTools({
  waterfall,
  search,
  onMatch,
}: {
  waterfall: ReturnType<typeof useWaterfall>;
  search: RefObject<HTMLInputElement | null>;
  onMatch: (step: 1 | -1) => void;
}) {
  const { query, matches, isZoomed } = waterfall;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-2 py-1.5">
      <search className="flex min-w-0 flex-1 basis-64 items-center gap-1">
        <span className="relative flex min-w-0 flex-1 items-center">
          <Search aria-hidden className="absolute left-2 size-4 text-text-muted" />
          <Input
            ref={search}
            type="search"
            aria-label="Search spans"
            placeholder="Search spans: text, op:db, >100ms, is:error"
            value={query}
            onChange={(event) => waterfall.setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') onMatch(event.shiftKey ? -1 : 1);
              if (event.key === 'Escape') waterfall.setQuery('');
            }}
            className="mono pl-8 text-sm"
          />
        </span>
        <span role="status" className="numbers whitespace-nowrap px-1 text-text-muted text-xs">
          {query.trim() === ''
            ? ''
            : matches.length === 0
              ? 'No matches'
              : `${formatExact(matches.length)} found`}
        </span>
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label="Previous match"
          disabled={matches.length === 0}
          onClick={() => onMatch(-1)}
        >
          <ChevronUp aria-hidden className="size-4" />
        </Button>
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label="Next match"
          disabled={matches.length === 0}
          onClick={() => onMatch(1)}
        >
          <ChevronDown aria-hidden className="size-4" />
        </Button>
      </search>
      {waterfall.hasCriticalPath ? (
        // biome-ignore lint/a11y/noLabelWithoutControl: Checkbox is the control
        <label className="flex items-center gap-1.5 text-xs">
          <Checkbox
            checked={waterfall.isCriticalShown}
            onChange={(event) => waterfall.setIsCriticalShown(event.target.checked)}
          />
          Critical path
        </label>
      ) : null}
      <div className="flex items-center">
        {isZoomed ? (
          <Button variant="ghost" size="sm" onClick={() => waterfall.setWindow(null)}>
            <ZoomOut aria-hidden className="size-4" />
            Show all
          </Button>
        ) : null}
        <Button variant="ghost" size="sm" iconOnly aria-label="Expand all" onClick={waterfall.expandAll}>
          <ChevronsUpDown aria-hidden className="size-4" />
        </Button>
        <Button variant="ghost" size="sm" iconOnly aria-label="Collapse all" onClick={waterfall.collapseAll}>
          <ChevronsDownUp aria-hidden className="size-4" />
        </Button>
      </div>
    </div>
  );
}

const TICKS_MAX = 5;
const TICKS_OF_PHONES_MAX = 3;

/** Where there is little room, a later moment would be cut. */
const LAST_TICK_SHARE = 0.75;

/** The time above the bars; every other moment of it where there is little room. */
export function TimeAxis({ window }: { window: TimeWindow }) {
  const ticks = ticksOf(window, TICKS_MAX);
  return (
    <div aria-hidden className="flex h-6 border-b text-text-muted text-xs">
      <div className="w-[46%] shrink-0 border-r @3xl:w-[38%]" />
      <div className="numbers relative min-w-0 flex-1 overflow-hidden">
        {ticks.map((atUs) => {
          const left = placeIn(window, atUs, atUs)?.left ?? 0;
          return (
            <span
              key={atUs}
              className={cx(
                'absolute inset-y-0 flex items-center whitespace-nowrap border-l pl-1',
                ticks.length > TICKS_OF_PHONES_MAX && '@max-2xl:even:hidden',
                left > LAST_TICK_SHARE && '@max-2xl:hidden',
              )}
              style={{ left: `${left * 100}%` }}
            >
              {formatElapsed(atUs)}
            </span>
          );
        })}
      </div>
    </div>
  );
}
