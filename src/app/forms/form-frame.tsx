'use client';

import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Notice } from '#ui/notice.tsx';
import type { FormHandle } from './use-form.ts';

/** What every form has around its fields: why it was not saved, and the button. People who may not change it can read it. */
export function FormFrame<Result>({
  form: { state, isPending, formProps },
  canChange = true,
  submitLabel,
  pendingLabel = 'Saving…',
  problems = null,
  isFlush = false,
  className,
  children,
}: {
  form: FormHandle<Result>;
  canChange?: boolean;
  submitLabel: string;
  pendingLabel?: string;
  /** How many of what are wrong, such as 2 and "line"; null when the fields say enough. */
  problems?: { count: number; noun: string } | null;
  /** In a card without padding of its own: what stands below the fields has lines and padding. */
  isFlush?: boolean;
  /** Of the fields. */
  className?: string;
  children: ReactNode;
}) {
  return (
    <form {...formProps}>
      <fieldset disabled={!canChange} className={cx('flex min-w-0 flex-col', className)}>
        {children}
        {state.error ? (
          <div className={isFlush ? 'border-t p-4' : undefined}>
            <Notice tone="danger" title="Not saved">
              {state.error}
            </Notice>
          </div>
        ) : null}
        {canChange ? (
          <div className={cx('flex flex-wrap items-center gap-3', isFlush && 'border-t px-4 py-3')}>
            <Button type="submit" variant="primary" disabled={isPending}>
              {isPending ? pendingLabel : submitLabel}
            </Button>
            {problems ? (
              <p aria-live="polite" className="text-danger text-xs">
                {isPending ? '' : describeProblems(problems)}
              </p>
            ) : null}
          </div>
        ) : null}
      </fieldset>
    </form>
  );
}

function describeProblems({ count, noun }: { count: number; noun: string }): string {
  if (count === 0) return '';
  return `Not saved: ${count === 1 ? `a ${noun} needs` : `${count} ${noun}s need`} a correction.`;
}
