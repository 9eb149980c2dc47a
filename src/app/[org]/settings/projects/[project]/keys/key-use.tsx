import { HOUR_MS } from '#lib/time.ts';
import type { KeyUse } from '#product/stats/outcome-store.ts';
import { formatCount } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

/** When something was last sent with a key: what tells that it can be disabled without loss. */
export function KeyUseText({
  use,
  days,
  isActive,
  now,
}: {
  use: KeyUse | undefined;
  /** How far back was looked. */
  days: number;
  isActive: boolean;
  now: number;
}) {
  if (!isActive && use?.refusedAt != null) {
    return (
      <span className="font-medium text-warning">
        still in use: {formatCount(use.refused)} events rejected in {days} days, last{' '}
        <LastHour at={use.refusedAt} now={now} />
      </span>
    );
  }
  if (use?.acceptedAt == null) return <>nothing received in {days} days</>;
  return (
    <>
      last received <LastHour at={use.acceptedAt} now={now} />
    </>
  );
}

/** Counts are kept by the hour, so that is as exact as it gets. */
function LastHour({ at, now }: { at: number; now: number }) {
  return now - at < HOUR_MS ? <>within the last hour</> : <RelativeTime at={at} now={now} />;
}
