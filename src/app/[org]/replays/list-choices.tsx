'use client';

import { useRouter } from 'next/navigation';
import { Select } from '#ui/select.tsx';
import { LENGTHS, type Length } from './replays-state.ts';

type Sort = 'started' | 'duration' | 'errors' | 'rageClicks' | 'deadClicks';

const SORTS: readonly { value: Sort; label: string }[] = [
  { value: 'started', label: 'Newest' },
  { value: 'duration', label: 'Longest' },
  { value: 'errors', label: 'Most errors' },
  { value: 'rageClicks', label: 'Most rage clicks' },
  { value: 'deadClicks', label: 'Most dead clicks' },
];

/** Order and shortest duration of the list; each choice is an address, which the server made. */
export function ListChoices({
  sort,
  minutesMin,
  hrefs,
}: {
  sort: Sort;
  minutesMin: Length;
  hrefs: { sorts: Readonly<Record<Sort, string>>; lengths: Readonly<Record<Length, string>> };
}) {
  const router = useRouter();
  return (
    <div className="flex flex-wrap gap-2">
      <Select<Length>
        label="Duration"
        prefix="Duration:"
        value={minutesMin}
        options={LENGTHS.map((value) => ({
          value,
          label: value === '0' ? 'any' : `${value} min or more`,
        }))}
        onValueChange={(value) => router.push(hrefs.lengths[value])}
      />
      <Select<Sort>
        label="Sort"
        prefix="Sort:"
        value={sort}
        options={SORTS}
        onValueChange={(value) => router.push(hrefs.sorts[value])}
      />
    </div>
  );
}
