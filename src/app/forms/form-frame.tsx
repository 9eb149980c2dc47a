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
  useState,
} from 'react';
import { cx } from '#ui/cx.ts';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { SaveRow } from './save-row.tsx';
import { type FormState, UNSENT } from './submit-form.ts';

/** What every form has around its fields: why it was not saved, and the row that saves it. People who may not change it can read it. */
export function FormFrame<Result>({
  form: { state, isPending, formProps },
  canChange = true,
  submitLabel,
  savedTitle,
  problems = null,
  isFlush = false,
  className,
  children,
}: {
  form: FormHandle<Result>;
  canChange?: boolean;
  submitLabel: string;
  /** What stands beside the button once it was saved. */
  savedTitle: string;
  /** How many of what are wrong, such as 2 and "line"; the fields that are wrong when it is left out. */
  problems?: { count: number; noun: string } | null;
  /** In a card without padding of its own: what stands below the fields has lines and padding. */
  isFlush?: boolean;
  /** Of the fields. */
  className?: string;
  children: ReactNode;
}) {
  const isChanged = useChanged(formProps.ref, state.savedAt);
  const { count, noun } = problems ?? { count: Object.keys(state.errors).length, noun: 'field' };
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
          <SaveRow
            label={submitLabel}
            isPending={isPending}
            isChanged={isChanged}
            failure={state.error ? 'Not saved.' : describeProblems(count, noun)}
            saved={state.savedAt === null ? null : savedTitle}
            isFlush={isFlush}
          />
        ) : null}
      </fieldset>
    </form>
  );
}

export function describeProblems(count: number, noun: string): string | null {
  if (count === 0) return null;
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
 * A form that stays on the page: what was typed stays, a toast confirms success where the form does not, and the focus goes to the first field that
 * is wrong. Works without script as well.
 */
export function useForm<Result>(
  action: SaveForm<Result>,
  savedTitle: string | null = null,
): FormHandle<Result> {
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

/** Whether the fields of a form are other than when it appeared, or was last saved. `savedAt` is null after a refusal. */
function useChanged(form: RefObject<HTMLFormElement | null>, savedAt: number | null): boolean {
  const [isChanged, setIsChanged] = useState(false);
  const kept = useRef<string | null>(null);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    if (kept.current === null || savedAt !== null) kept.current = typedIn(element);
    const compare = () => setIsChanged(typedIn(element) !== kept.current);
    compare();
    element.addEventListener('input', compare);
    // The value of a select changes without an event.
    const watch = new MutationObserver(compare);
    watch.observe(element, { subtree: true, childList: true, attributeFilter: ['value'] });
    return () => {
      element.removeEventListener('input', compare);
      watch.disconnect();
    };
  }, [form, savedAt]);
  return isChanged;
}

const typedIn = (form: HTMLFormElement): string => JSON.stringify([...new FormData(form)]);
