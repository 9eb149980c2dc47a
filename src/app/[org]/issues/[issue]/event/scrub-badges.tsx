import { ShieldCheck } from 'lucide-react';
import { Badge } from '#ui/badge.tsx';
import type { ScrubMark } from './scrub-marks.ts';

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
