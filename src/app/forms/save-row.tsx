'use client';

import { CircleAlert, CircleCheck, CircleDot } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { LeaveGuard } from './leave-guard.tsx';

/**
 * The button that saves, and beside it what is unsaved, saved or wrong. It stays in sight while something is unsaved, and
 * asks before that is left.
 */
export function SaveRow({
  label,
  pendingLabel = 'Saving…',
  isPending,
  isChanged,
  failure,
  saved,
  isFlush = false,
  onSave,
}: {
  label: string;
  pendingLabel?: string;
  isPending: boolean;
  isChanged: boolean;
  /** Why it was not saved, in a sentence; null when it was, or not yet tried. */
  failure: string | null;
  /** What was saved, in words; null before. */
  saved: string | null;
  /** In a card without padding of its own. */
  isFlush?: boolean;
  /** Left out where the button submits the form around it. */
  onSave?: () => void;
}) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2',
        isFlush ? 'rounded-b-lg border-t px-4 py-3' : '-m-2 rounded-md p-2',
        isChanged && 'sticky bottom-2 z-10 bg-surface-raised shadow-float max-sm:bottom-16',
      )}
    >
      <Button type={onSave ? 'button' : 'submit'} variant="primary" isPending={isPending} onClick={onSave}>
        {isPending ? pendingLabel : label}
      </Button>
      <p role="status" className="flex min-w-0 items-center gap-1.5 text-text-muted text-xs">
        {isPending ? null : <Status isChanged={isChanged} failure={failure} saved={saved} />}
      </p>
      <LeaveGuard isChanged={isChanged && !isPending} />
    </div>
  );
}

function Status({
  isChanged,
  failure,
  saved,
}: {
  isChanged: boolean;
  failure: string | null;
  saved: string | null;
}) {
  if (failure !== null) {
    return (
      <>
        <CircleAlert aria-hidden className={cx(ICON, 'text-danger')} />
        <span className="text-danger">{failure}</span>
      </>
    );
  }
  if (isChanged) {
    return (
      <>
        <CircleDot aria-hidden className={cx(ICON, 'text-warning')} />
        Unsaved changes
      </>
    );
  }
  return saved === null ? null : (
    <>
      <CircleCheck aria-hidden className={cx(ICON, 'text-success')} />
      {saved}
    </>
  );
}

const ICON = 'size-3.5 shrink-0';
