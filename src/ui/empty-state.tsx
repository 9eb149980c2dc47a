import type { ReactNode } from 'react';

/** What a list says when it holds nothing: what that means, and the next step. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
  tone = 'neutral',
  level = 2,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  tone?: 'neutral' | 'danger' | 'success';
  /** 1 where it is all that the page holds. */
  level?: 1 | 2;
}) {
  const Heading = `h${level}` as const;
  const colour =
    tone === 'danger'
      ? 'bg-danger-soft text-danger'
      : tone === 'success'
        ? 'bg-success-soft text-success'
        : 'bg-surface-pressed text-text-muted';
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      {icon ? (
        <div aria-hidden className={`grid size-11 place-items-center rounded-lg [&_svg]:size-5 ${colour}`}>
          {icon}
        </div>
      ) : null}
      <Heading className="font-semibold text-lg">{title}</Heading>
      {children ? <div className="max-w-[56ch] text-sm text-text-muted">{children}</div> : null}
      {actions ? <div className="mt-1 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}
