import { ShieldCheck } from 'lucide-react';
import { Badge } from '#ui/badge.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { countScrubbed, type ScrubMark } from './scrub-marks.ts';

/** What was done to a value before it was stored; opens to the rule that did it. Nothing for no marks. */
export function ScrubBadges({ marks }: { marks: readonly ScrubMark[] }) {
  if (marks.length === 0) return null;
  return (
    <div className="mt-0.5 flex flex-wrap items-start gap-1 font-sans">
      {marks.map(({ label, rule }) => (
        <details key={label} className="group/mark min-w-0 max-w-full">
          <summary title={rule} className="w-fit max-w-full rounded-sm">
            <Badge tone="info" icon={<ShieldCheck aria-hidden />}>
              {label}
            </Badge>
          </summary>
          <span className="break-anything mt-0.5 block text-text-muted text-xs">{rule}</span>
        </details>
      ))}
    </div>
  );
}

/** How many values of the event were scrubbed; nothing when none was. */
export function ScrubSummary({ meta }: { meta: unknown }) {
  const count = countScrubbed(meta);
  if (count === 0) return null;
  return (
    <p className="mb-4 flex items-start gap-2 text-sm text-text-muted">
      <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
      <span>
        {formatPlural(count, 'value')} {count === 1 ? 'was' : 'were'} scrubbed before this event was stored. A
        badge next to each value says why. The original values are not stored.
      </span>
    </p>
  );
}
