import type { ReactNode } from 'react';

/** Content that a line of text opens. */
export function Disclosure({
  summary,
  open,
  className,
  children,
}: {
  summary: ReactNode;
  /** Open from the start. */
  open?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details open={open} className={className}>
      <summary className="w-fit rounded-sm text-accent text-xs hover:underline">{summary}</summary>
      <div className="pt-3">{children}</div>
    </details>
  );
}

/** A row of a list whose form opens below it. */
export function EditableRow({
  title,
  facts,
  actions,
  children,
}: {
  title: ReactNode;
  facts: ReactNode;
  actions: ReactNode;
  /** What opens below; null for people who may not change it. */
  children: ReactNode;
}) {
  return (
    <li className="px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="break-anything min-w-0 flex-1">
          <p className="font-medium text-sm">{title}</p>
          <div className="text-text-muted text-xs">{facts}</div>
        </div>
        {actions}
      </div>
      {children ? <div className="mt-1.5 flex flex-col gap-1.5">{children}</div> : null}
    </li>
  );
}
