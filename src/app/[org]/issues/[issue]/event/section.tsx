import type { ReactNode } from 'react';
import { formatExact } from '#ui/format-number.ts';

/** A part of an event's page; the index leads here. */
export function Section({
  id,
  title,
  count,
  actions,
  children,
}: {
  id: string;
  title: string;
  count?: number;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="min-w-0 scroll-mt-26">
      <div className="mb-2.5 flex items-center justify-between gap-3">
        <h2 id={`${id}-title`} className="font-semibold text-base">
          {title}
          {count !== undefined ? (
            <span className="numbers ml-2 font-normal text-text-faint text-sm">{formatExact(count)}</span>
          ) : null}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
