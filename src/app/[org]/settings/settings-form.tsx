'use client';

import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Notice } from '#ui/notice.tsx';
import type { SettingsFormHandle, SettingsState } from './use-settings-form.ts';

/** The frame of a form of settings: its fields, why it was not saved, and the button. Who may not change it reads it. */
export function SettingsForm<State extends SettingsState>({
  form: { state, isPending, formProps },
  canChange,
  submitLabel,
  problems = null,
  isFlush = false,
  className,
  children,
}: {
  form: SettingsFormHandle<State>;
  canChange: boolean;
  submitLabel: string;
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
              {isPending ? 'Saving…' : submitLabel}
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
