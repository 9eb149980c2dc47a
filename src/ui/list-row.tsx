import type { ReactNode } from 'react';
import { RelativeTime } from './relative-time.tsx';

/** A row of a list in a card: what it is, facts about it, and what can be done with it. */
export function ListRow({
  icon,
  title,
  actions,
  children,
}: {
  icon?: ReactNode;
  title: ReactNode;
  actions?: ReactNode;
  /** The facts, below the title. */
  children: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      {icon}
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">{title}</p>
        <div className="text-text-muted text-xs">{children}</div>
      </div>
      {actions}
    </li>
  );
}

/** ` by Ana`; nothing when nobody is known. */
export function ByUser({ user }: { user: { name: string } | null }) {
  return user ? (
    <>
      {' by '}
      <bdi>{user.name}</bdi>
    </>
  ) : null;
}

/** `used 3 days ago`, `never used`. */
export function LastUsed({ at, now, label = 'used' }: { at: number | null; now: number; label?: string }) {
  return at === null ? (
    'never used'
  ) : (
    <>
      {label} <RelativeTime at={at} now={now} />
    </>
  );
}
