'use client';

import { CircleAlert, CircleCheck, CircleDot } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { LeaveGuard } from './leave-guard.tsx';

type SaveState = {
  isPending: boolean;
  isChanged: boolean;
  /** Why it was not saved, in a sentence; null when it was, or not yet tried. */
  failure: string | null;
  /** What was saved, in words; null before. */
  saved: string | null;
};

/**
 * The button that saves, and beside it what is unsaved, saved or wrong. It stays in sight while something is unsaved, and
 * asks before that is left.
 */
export function SaveRow({
  label,
  isPending,
  isChanged,
  failure,
  saved,
  isFlush = false,
  onSave,
  children,
}: SaveState & {
  label: string;
  /** In a card without padding of its own. */
  isFlush?: boolean;
  /** Left out where the button submits the form around it. */
  onSave?: () => void;
  /** Other ways on from here, beside the button. */
  children?: ReactNode;
}) {
  return (
    <div
      data-unsaved={isChanged || undefined}
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2',
        isFlush ? 'rounded-b-lg border-t px-4 py-3' : '-m-2 rounded-md p-2',
        isChanged && 'sticky bottom-2 z-10 bg-surface-raised shadow-float max-sm:bottom-16',
      )}
    >
      <Button type={onSave ? 'button' : 'submit'} variant="primary" isPending={isPending} onClick={onSave}>
        {isPending ? 'Saving…' : label}
      </Button>
      {children}
      <SaveStatus isPending={isPending} isChanged={isChanged} failure={failure} saved={saved} />
      <LeaveGuard isChanged={isChanged && !isPending} />
    </div>
  );
}

/** What is unsaved, wrong or saved, announced as it changes. */
export function SaveStatus({ isPending, isChanged, failure, saved }: SaveState) {
  const status = isPending ? null : failure !== null ? 'wrong' : isChanged ? 'unsaved' : saved && 'saved';
  const Icon = status && ICONS[status];
  return (
    <p
      role="status"
      className={cx(
        'flex min-w-0 items-center gap-1.5 text-xs',
        status === 'wrong' ? 'text-danger' : 'text-text-muted',
      )}
    >
      {Icon ? <Icon aria-hidden className={cx('size-3.5 shrink-0', TONES[status])} /> : null}
      {status === 'wrong' ? failure : status === 'unsaved' ? 'Unsaved changes' : status && saved}
    </p>
  );
}

const ICONS = { wrong: CircleAlert, unsaved: CircleDot, saved: CircleCheck } as const;
const TONES = { wrong: 'text-danger', unsaved: 'text-warning', saved: 'text-success' } as const;
