'use client';

import { ShieldCheck } from 'lucide-react';
import { Badge } from '#ui/badge.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import type { ScrubMark } from './scrub-marks.ts';

/** What was done to a value before it was stored; points at the rule when asked. Nothing for no marks. */
export function ScrubBadges({ marks }: { marks: readonly ScrubMark[] }) {
  if (marks.length === 0) return null;
  return (
    <span className="mt-0.5 flex flex-wrap gap-1 font-sans">
      {marks.map(({ label, rule }) => (
        <Tooltip key={label} content={rule}>
          <button
            type="button"
            aria-label={`${label}. ${rule}`}
            className="max-w-full cursor-help rounded-sm"
          >
            <Badge tone="info" icon={<ShieldCheck aria-hidden />}>
              {label}
            </Badge>
          </button>
        </Tooltip>
      ))}
    </span>
  );
}
