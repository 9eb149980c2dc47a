'use client';

import { useMemo, useState } from 'react';
import { weighFunctions } from '#domain/profiles/weigh-calls.ts';
import { cx } from '#ui/cx.ts';
import { DataTable } from '#ui/data-table.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact } from '#ui/format-number.ts';
import { Segmented } from '#ui/segmented.tsx';
import { LIBRARY_COLOR, OWN_COLOR } from './frame-colors.ts';
import { formatShare, placeOfFrame, type ShownProfile } from './shown-profile.ts';

const NUMBER = 'whitespace-nowrap text-right numbers';
const COLUMNS = [
  { heading: 'Function', className: 'min-w-48' },
  { heading: 'Self', className: NUMBER },
  { heading: 'Total', className: NUMBER },
  { heading: 'Samples', className: NUMBER },
  { heading: 'File', className: 'min-w-40' },
];

const SORTS = [
  { value: 'selfUs', label: 'Self time' },
  { value: 'totalUs', label: 'Total time' },
] as const;

/** The functions of a thread with all their calls; of a search only those that match. */
export function FunctionTable({
  shown: { thread, weights },
  matches,
}: {
  shown: ShownProfile;
  matches: readonly boolean[] | null;
}) {
  const [sort, setSort] = useState<(typeof SORTS)[number]['value']>('selfUs');
  const all = useMemo(() => weighFunctions(thread, weights), [thread, weights]);
  const rows = useMemo(
    () =>
      all
        .filter(({ frame }) => matches === null || matches[frame])
        .toSorted((a, b) => b[sort] - a[sort])
        .map(({ frame: index, selfUs, totalUs, samples }) => {
          const frame = thread.frames[index];
          const time = (us: number) => `${formatElapsed(us)} (${formatShare(us, weights.runningUs)})`;
          return {
            key: String(index),
            cells: frame
              ? [
                  <span key="name" className="flex items-baseline gap-2">
                    <FrameMark isLibrary={frame.isLibrary} />
                    <bdi className="mono break-anything text-xs">{frame.name}</bdi>
                  </span>,
                  time(selfUs),
                  time(totalUs),
                  formatExact(samples),
                  <bdi key="file" className="break-anything text-text-muted text-xs">
                    {placeOfFrame(frame) || frame.module}
                  </bdi>,
                ]
              : [],
          };
        }),
    [all, matches, sort, thread, weights],
  );
  return (
    <>
      <div className="flex h-10 items-center border-b px-2">
        <Segmented label="Sort by" value={sort} options={SORTS} onValueChange={setSort} />
      </div>
      {rows.length === 0 ? (
        <p className="px-4 py-10 text-center text-sm text-text-muted">No function matches.</p>
      ) : (
        <DataTable label="Top functions" columns={COLUMNS} rows={rows} />
      )}
    </>
  );
}

/** Whose code it is. */
export function FrameMark({ isLibrary }: { isLibrary: boolean }) {
  return (
    <span
      role="img"
      aria-label={isLibrary ? 'Library' : 'In app'}
      title={isLibrary ? 'Library' : 'In app'}
      className={cx(
        'size-2.5 shrink-0 rounded-xs border',
        isLibrary ? 'border-border-strong' : 'border-accent-line',
      )}
      style={{ background: isLibrary ? LIBRARY_COLOR : OWN_COLOR }}
    />
  );
}
