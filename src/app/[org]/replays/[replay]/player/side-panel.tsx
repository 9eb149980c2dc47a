'use client';

import { type ReactNode, useMemo, useRef, useState } from 'react';
import { cx } from '#ui/cx.ts';
import { formatCount } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { useFadingEnds } from '#ui/use-fading-ends.ts';
import type { Entry, EntryKind } from '../../recording/timeline.ts';
import { EntryList } from './entry-list.tsx';
import { ConsoleRow, EntryRow, NetworkRow } from './entry-rows.tsx';
import { MemoryChart } from './memory-chart.tsx';
import type { Player } from './use-player.ts';

type Tab = 'breadcrumbs' | 'console' | 'network' | 'errors' | 'memory' | 'tags' | 'traces';

const LISTS: Readonly<
  Record<
    'breadcrumbs' | 'console' | 'network' | 'errors',
    {
      label: string;
      holds: (kind: EntryKind) => boolean;
      empty: string;
      Row: (props: { entry: Entry }) => ReactNode;
    }
  >
> = {
  breadcrumbs: {
    label: 'Breadcrumbs',
    holds: (kind) => kind !== 'console' && kind !== 'network' && kind !== 'memory',
    empty: 'No breadcrumbs were recorded.',
    Row: EntryRow,
  },
  console: {
    label: 'Console',
    holds: (kind) => kind === 'console',
    empty: 'Nothing was written to the console.',
    Row: ConsoleRow,
  },
  network: {
    label: 'Network',
    holds: (kind) => kind === 'network',
    empty: 'No requests were recorded.',
    Row: NetworkRow,
  },
  errors: {
    label: 'Errors',
    holds: (kind) => kind === 'error',
    empty: 'No errors happened while this was recorded.',
    Row: EntryRow,
  },
};
type List = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as List[];
const isList = (tab: Tab): tab is List => tab in LISTS;

/** What happened beside the picture, in step with it. */
export function SidePanel({
  player,
  organizationSlug,
  tags,
  traceIds,
}: {
  player: Player;
  organizationSlug: string;
  tags: readonly (readonly [string, string])[];
  traceIds: readonly string[];
}) {
  const [tab, setTab] = useState<Tab>('breadcrumbs');
  const bar = useRef<HTMLDivElement>(null);
  const fade = useFadingEnds(bar);
  const { entries, at, seek } = player;
  const byList = useMemo(
    () =>
      Object.fromEntries(
        LIST_NAMES.map((list) => [list, entries.filter(({ kind }) => LISTS[list].holds(kind))]),
      ) as Readonly<Record<string, readonly Entry[]>> as Readonly<Record<List, readonly Entry[]>>,
    [entries],
  );
  const memory = useMemo(() => entries.filter(({ kind }) => kind === 'memory'), [entries]);
  const tabs: readonly { id: Tab; label: string; count: number }[] = [
    ...LIST_NAMES.map((id) => ({ id, label: LISTS[id].label, count: byList[id].length })),
    ...(memory.length > 0 ? [{ id: 'memory' as const, label: 'Memory', count: memory.length }] : []),
    { id: 'tags', label: 'Tags', count: tags.length },
    { id: 'traces', label: 'Traces', count: traceIds.length },
  ];
  return (
    <section aria-label="Details" className="min-w-0 overflow-hidden rounded-lg border bg-surface-raised">
      <div className="border-b">
        <div
          ref={bar}
          role="tablist"
          aria-label="Details of the replay"
          className={cx('-mb-px flex overflow-x-auto px-2 [scrollbar-width:none]', fade)}
        >
          {tabs.map(({ id, label, count }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`replay-tab-${id}`}
              aria-selected={tab === id}
              aria-controls="replay-panel"
              onClick={() => setTab(id)}
              className="tab aria-selected:border-accent aria-selected:text-text"
            >
              {label}
              <span className="numbers text-text-faint text-xs">{formatCount(count)}</span>
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id="replay-panel" aria-labelledby={`replay-tab-${tab}`}>
        {isList(tab) ? (
          <ListOf key={tab} list={tab} entries={byList[tab]} at={at} onSeek={seek} />
        ) : tab === 'memory' ? (
          <MemoryChart entries={memory} at={at} durationMs={player.durationMs} onSeek={seek} />
        ) : tab === 'tags' ? (
          <Tags tags={tags} />
        ) : (
          <Traces organizationSlug={organizationSlug} traceIds={traceIds} />
        )}
      </div>
    </section>
  );
}

function ListOf({
  list,
  entries,
  at,
  onSeek,
}: {
  list: List;
  entries: readonly Entry[];
  at: number;
  onSeek: (at: number) => void;
}) {
  const { label, empty, Row } = LISTS[list];
  return (
    <EntryList label={label} entries={entries} at={at} onSeek={onSeek} empty={empty}>
      {(entry) => <Row entry={entry} />}
    </EntryList>
  );
}

function Tags({ tags }: { tags: readonly (readonly [string, string])[] }) {
  if (tags.length === 0) return <p className="px-4 py-6 text-sm text-text-muted">No tags.</p>;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 p-4 text-sm">
      {tags.map(([key, value]) => (
        <div key={key} className="contents">
          <dt className="text-text-muted">
            <bdi>{key}</bdi>
          </dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Traces({ organizationSlug, traceIds }: { organizationSlug: string; traceIds: readonly string[] }) {
  if (traceIds.length === 0) {
    return (
      <p className="px-4 py-6 text-sm text-text-muted">No traces were started while this was recorded.</p>
    );
  }
  return (
    <ul className="divide-y">
      {traceIds.map((traceId) => (
        <li key={traceId} className="px-4 py-2 text-sm">
          <Link href={`/${organizationSlug}/traces/${traceId}`} className="link font-mono text-xs">
            {traceId}
          </Link>
        </li>
      ))}
    </ul>
  );
}
