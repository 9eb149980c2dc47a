import { CopyButton } from '#ui/copy-button.tsx';

/** A DSN on one line, with a copy button. */
export function DsnField({ dsn, label = 'DSN' }: { dsn: string; label?: string }) {
  return (
    <div className="flex min-w-0 items-center rounded-md border bg-surface-sunken pl-2.5">
      <code className="mono min-w-0 flex-1 truncate text-xs" title={dsn}>
        {dsn}
      </code>
      <CopyButton text={dsn} label={`Copy ${label}`} className="m-0.5" />
    </div>
  );
}
