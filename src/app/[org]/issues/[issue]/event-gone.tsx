import { CalendarX2 } from 'lucide-react';
import type { Issue } from '#storage/ports/issues.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { ExactTime } from '#ui/relative-time.tsx';

/** The issue is known, its events are not kept any more. */
export function EventGone({ issue }: { issue: Issue }) {
  return (
    <div className="rounded-lg border bg-surface-raised">
      <EmptyState icon={<CalendarX2 />} title="Its events are gone">
        The issue was seen {formatPlural(issue.timesSeen, 'time')}, the last time at{' '}
        <ExactTime at={issue.lastSeen} className="text-text" />. Events are kept for a limited time; the
        counts stay. When it happens again, the new event appears here.
      </EmptyState>
    </div>
  );
}
