import type { ReactNode } from 'react';

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="mono inline-grid h-5 min-w-5 place-items-center rounded-sm border border-border-strong bg-surface-sunken px-1 text-[11px] text-text-muted">
      {children}
    </kbd>
  );
}
