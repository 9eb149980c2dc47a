'use client';

import { ChevronRight } from 'lucide-react';
import { type Ref, useState, useTransition } from 'react';
import { withQuery } from '#app/url-state.ts';
import { cx } from '#ui/cx.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { TableTime } from '#ui/table-time.tsx';
import { searchTerm } from '../../search-box/search-term.ts';
import { MARK_OF_LOG } from '../../traces/log-levels.ts';
import { type RowsPlace, rowsHref } from '../rows/rows-state.ts';
import { TraceLink } from '../rows/rows-tables.tsx';
import { withTerm } from '../rows/value-term.ts';
import { type LoadedLog, loadLogAction } from './actions.ts';
import type { LogLine } from './log-line.ts';

/** One line of a log; it opens to everything that was sent with it. */
export function LogEntry({
  place,
  line,
  isMarked = false,
  measure,
  index,
}: {
  place: RowsPlace;
  line: LogLine;
  /** The line that others are shown around. */
  isMarked?: boolean;
  /** In a list that draws what is seen only: takes the element, and its place. */
  measure?: Ref<HTMLLIElement>;
  index?: number;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [loaded, setLoaded] = useState<LoadedLog | null>(null);
  const [isPending, startTransition] = useTransition();
  const toggle = () => {
    setIsOpen(!isOpen);
    if (loaded?.ok || isOpen) return;
    startTransition(async () => {
      const { id, projectSlug } = line;
      setLoaded(
        await loadLogAction({ organizationSlug: place.organizationSlug, projectSlug, id }).catch(
          (): LoadedLog => ({ ok: false, reason: 'The line could not be loaded: try again.' }),
        ),
      );
    });
  };
  return (
    <li
      ref={measure}
      data-index={index}
      aria-current={isMarked || undefined}
      className={cx('border-b text-xs last:border-b-0', isMarked && 'bg-accent-soft')}
    >
      <div className="flex items-start gap-3 px-4 py-1 leading-6 max-sm:flex-wrap">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Details of ${line.body.slice(0, 80) || 'this line'}`}
          onClick={toggle}
          className="grid size-6 shrink-0 place-items-center rounded-sm text-text-muted hover:bg-surface-hover hover:text-text"
        >
          <ChevronRight aria-hidden className={cx('size-3.5 transition-transform', isOpen && 'rotate-90')} />
        </button>
        <TableTime at={line.atMs} className="numbers shrink-0 text-text-muted" />
        <LevelMark level={MARK_OF_LOG[line.level]} className="mt-1.5" />
        <span className="shrink-0 text-text-muted">{line.projectSlug}</span>
        <span className="min-w-0 flex-1 max-sm:basis-full">
          <bdi className="mono break-anything whitespace-pre-wrap">{line.body}</bdi>
          {line.more
            .filter(({ value }) => value !== '')
            .map(({ name, value }) => (
              <span key={name} className="mono ml-3 break-anything text-text-muted">
                {name}=<bdi className="text-text">{value}</bdi>
              </span>
            ))}
        </span>
        <TraceLink place={place} row={line} />
      </div>
      {isOpen ? (
        <div aria-busy={isPending} className="border-t bg-surface-sunken px-4 py-2 sm:pl-13">
          {loaded === null ? (
            <p className="text-text-muted">Loading …</p>
          ) : loaded.ok ? (
            <LogDetails place={place} line={line} log={loaded.log} />
          ) : (
            <p role="alert" className="text-danger">
              {loaded.reason}
            </p>
          )}
        </div>
      ) : null}
    </li>
  );
}

/** How far the lines around one lie from it. */
const AROUND_MS = 30_000;

function LogDetails({
  place,
  line,
  log,
}: {
  place: RowsPlace;
  line: LogLine;
  log: Extract<LoadedLog, { ok: true }>['log'];
}) {
  const path = `/${place.organizationSlug}/explore/logs`;
  const isoOf = (ms: number) => new Date(ms).toISOString();
  const around = {
    project: line.projectSlug,
    start: isoOf(Math.floor((line.atMs - AROUND_MS) / 1_000) * 1_000),
    end: isoOf(Math.ceil((line.atMs + AROUND_MS) / 1_000) * 1_000),
    around: line.id,
  };
  const values = [
    ['severity', log.level],
    ['release', log.release],
    ['environment', log.environment],
    ['trace', log.traceId],
    ['sdk.name', log.sdkName],
    ...Object.entries(log.attributes).sort(([one], [other]) => one.localeCompare(other)),
  ].filter((entry): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== '');
  return (
    <>
      <p className="mb-2 flex flex-wrap gap-4">
        <Link href={withQuery(path, around)} className="text-accent underline-offset-2 hover:underline">
          Lines around it
        </Link>
        {line.traceId === null ? null : (
          <Link
            href={withQuery(path, { query: `trace:${line.traceId}`, range: '90d' })}
            className="text-accent underline-offset-2 hover:underline"
          >
            Lines of its trace
          </Link>
        )}
      </p>
      <KeyValues
        rows={values.map(([name, value]) => {
          const term = searchTerm(name, String(value));
          return {
            key: name,
            name,
            value:
              term === null ? (
                <bdi>{String(value)}</bdi>
              ) : (
                <Link
                  href={rowsHref(place, { query: withTerm(place.state.query, term) })}
                  title={`Filter by ${name}`}
                  className="text-text no-underline hover:underline"
                >
                  <bdi>{String(value)}</bdi>
                </Link>
              ),
          };
        })}
      />
    </>
  );
}
