import { ShieldCheck } from 'lucide-react';
import { formatPlural } from '#ui/format-number.ts';
import { countScrubbed } from './scrub-marks.ts';

/** How many values of the event were scrubbed; nothing when none was. */
export function ScrubSummary({ meta }: { meta: unknown }) {
  const count = countScrubbed(meta);
  if (count === 0) return null;
  return (
    <p className="mb-4 flex items-start gap-2 text-sm text-text-muted">
      <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
      <span>
        {formatPlural(count, 'value')} {count === 1 ? 'was' : 'were'} scrubbed before this event was stored. A
        mark beside each says why; what stood there is not kept anywhere.
      </span>
    </p>
  );
}
