'use client';

import { useRouter } from 'next/navigation';
import { useMemo, useState, useTransition } from 'react';
import type { ThreadProfile } from '#domain/profiles/thread-profile.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { CallTree } from './call-tree.tsx';
import { FlameChart } from './flame-chart.tsx';
import { FunctionTable } from './function-table.tsx';
import { ProfileTools } from './profile-tools.tsx';
import { findFrames, formatShare, graphOf, showProfile, weighMatches } from './shown-profile.ts';
import { MERGED_VIEWS, useView, VIEWS } from './use-view.ts';

/** One thread of a profile, in four views, or merged profiles in three. The thread and the view stand in the address. */
export function ProfileView({
  thread: whole,
  threads,
  threadId,
}: {
  thread: ThreadProfile;
  /** null for merged profiles, which have no threads and no order in time. */
  threads: readonly { id: string; name: string | null; samples: number }[] | null;
  threadId: string;
}) {
  const views = threads ? VIEWS : MERGED_VIEWS;
  const [view, chooseView] = useView(views);
  const [areLibrariesHidden, setAreLibrariesHidden] = useState(false);
  const [query, setQuery] = useState('');
  const shown = useMemo(() => showProfile(whole, areLibrariesHidden), [whole, areLibrariesHidden]);
  const graph = useMemo(() => graphOf(shown, view), [shown, view]);
  const matches = useMemo(() => findFrames(whole.frames, query), [whole, query]);
  const found = useMemo(() => (matches ? weighMatches(shown, matches) : null), [shown, matches]);
  const hasLibraries = whole.frames.some(({ isLibrary }) => isLibrary);
  const { runningUs } = shown.weights;
  return (
    <section aria-label="Profile" className="min-w-0 rounded-lg border bg-surface-raised">
      <div className="flex flex-wrap items-center gap-2 border-b px-2 py-1.5">
        {threads ? <ThreadSelect threads={threads} threadId={threadId} /> : null}
        <Segmented label="View" value={view} options={views} onValueChange={chooseView} />
      </div>
      <ProfileTools
        query={query}
        onQuery={setQuery}
        found={
          found === null
            ? ''
            : found.functions === 0
              ? 'No matches'
              : `${formatPlural(found.functions, 'function')}, ${formatElapsed(found.us)} (${formatShare(found.us, runningUs)})`
        }
        areLibrariesHidden={areLibrariesHidden}
        onHideLibraries={hasLibraries ? setAreLibrariesHidden : null}
      />
      {shown.weights.roots.length === 0 ? (
        <p className="px-4 py-10 text-center text-sm text-text-muted">
          {areLibrariesHidden
            ? 'Only library frames ran here. Show them to see what they did.'
            : 'Nothing ran here.'}
        </p>
      ) : graph ? (
        <FlameChart
          // Another graph has other boxes.
          key={`${view} ${areLibrariesHidden}`}
          label={view === 'time' ? 'Flame chart in time order' : 'Flame graph, left heavy'}
          hasTime={view === 'time'}
          shown={shown}
          graph={graph}
          matches={matches}
        />
      ) : view === 'tree' ? (
        <CallTree key={String(areLibrariesHidden)} shown={shown} matches={matches} />
      ) : (
        <FunctionTable shown={shown} matches={matches} />
      )}
    </section>
  );
}

function ThreadSelect({
  threads,
  threadId,
}: {
  threads: readonly { id: string; name: string | null; samples: number }[];
  threadId: string;
}) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  return (
    <span aria-busy={isPending} className="min-w-0">
      <Select
        label="Thread"
        prefix="Thread"
        value={threadId}
        options={threads.map(({ id, name, samples }) => ({
          value: id,
          label: name === null ? id : `${name} (${id})`,
          hint: formatPlural(samples, 'sample'),
        }))}
        disabled={isPending}
        onValueChange={(id) =>
          startTransition(() => {
            const url = new URL(window.location.href);
            url.searchParams.set('thread', id);
            router.push(`${url.pathname}${url.search}`);
          })
        }
      />
    </span>
  );
}
