'use client';

import {
  type FormEvent,
  type FormHTMLAttributes,
  type ReactNode,
  type RefObject,
  startTransition,
  useActionState,
  useEffect,
  useRef,
} from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { type FormState, UNSENT } from './submit-form.ts';

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

/** A server action with what the page binds to it: what a form calls. */
export type SaveForm<Result> = (previous: FormState<Result>, form: FormData) => Promise<FormState<Result>>;

type FormHandle<Result> = {
  state: FormState<Result>;
  isPending: boolean;
  /** For the form element. */
  formProps: FormHTMLAttributes<HTMLFormElement> & { ref: RefObject<HTMLFormElement | null> };
};

/**
 * A form that stays on the page: what was typed stays, a toast confirms success, and the focus goes to the first field that
 * is wrong. Works without script as well.
 */
export function useForm<Result>(action: SaveForm<Result>, savedTitle: string | null): FormHandle<Result> {
  const [state, save, isPending] = useActionState<FormState<Result>, FormData>(action, UNSENT);
  useEffect(() => {
    if (state.savedAt !== null && savedTitle !== null) showToast({ title: savedTitle });
  }, [state.savedAt, savedTitle]);

  const ref = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(ref, state);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    // The framework would empty the form after the action.
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    startTransition(() => save(sent));
  }
  return { state, isPending, formProps: { ref, action: save, onSubmit } };
}
