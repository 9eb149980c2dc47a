import { LIMIT_KINDS } from '#product/quotas/limit-kinds.ts';
import type { LimitUse } from '#product/quotas/limits.ts';
import { cx } from '#ui/cx.ts';
import { formatExact, formatShare } from '#ui/format-number.ts';
import { timeLeft } from './limit-fields.ts';
import type { LimitRow } from './limits-form.tsx';

const WINDOW_SECONDS_DEFAULT = 3_600;

/** A row for every kind, with its limit and the use of it where there is one. */
export const limitRows = (limits: readonly LimitUse[], now: number): LimitRow[] =>
  LIMIT_KINDS.map(({ kind, label, about }) => {
    const found = limits.find((limit) => limit.kind === kind);
    return {
      kind,
      label,
      about,
      limit: found?.limit ?? null,
      windowSeconds: found?.windowSeconds ?? WINDOW_SECONDS_DEFAULT,
      use: found ? (
        <LimitBar used={found.used} limit={found.limit} windowEndsAt={found.windowEndsAt} now={now} />
      ) : null,
    };
  });

function LimitBar({
  used,
  limit,
  windowEndsAt,
  now,
}: {
  /** null when only the edge counts it. */
  used: number | null;
  limit: number;
  windowEndsAt: number;
  now: number;
}) {
  if (limit === 0) return <p className="text-text-muted text-xs">Nothing is accepted.</p>;
  if (used === null) {
    return <p className="text-text-muted text-xs">Usage is shown for windows of an hour or longer.</p>;
  }
  const share = Math.min(1, used / limit);
  return (
    <div className="flex flex-col gap-1">
      <div
        role="img"
        aria-label={`${formatShare(Math.min(used, limit), limit)} of the limit is used`}
        className="h-1.5 overflow-hidden rounded-full bg-surface-sunken"
      >
        <span className={cx('block h-full', barColor(share))} style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-text-muted text-xs">
        <span className="numbers">
          {formatExact(used)} of {formatExact(limit)}
        </span>{' '}
        used; resets in {timeLeft(windowEndsAt - now)}
      </p>
    </div>
  );
}

const NEARLY_USED = 0.8;

function barColor(share: number): string {
  if (share >= 1) return 'bg-danger';
  return share >= NEARLY_USED ? 'bg-warning' : 'bg-accent-solid';
}
