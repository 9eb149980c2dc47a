import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../button.tsx';
import { cx } from '../cx.ts';

/** What the button of a select shows. */
export function SelectFace({ icon, prefix, value }: { icon?: ReactNode; prefix?: string; value: ReactNode }) {
  return (
    <>
      {icon}
      {prefix ? <span className="text-text-muted">{prefix}</span> : null}
      <span className="min-w-0 truncate">{value}</span>
      <span aria-hidden>
        <ChevronDown className="size-3.5 text-text-muted" />
      </span>
    </>
  );
}

export function selectClass(look: 'compact' | 'field', className: string | undefined): string {
  return cx(
    look === 'compact'
      ? cx(buttonClass({ size: 'md' }), 'max-w-64 font-normal')
      : 'flex h-9 w-full items-center justify-between gap-2 rounded-md border border-border-control bg-surface-raised px-2.5 text-left text-sm hover:border-text-faint',
    className,
  );
}
