import {
  type FormEvent,
  type FormHTMLAttributes,
  type RefObject,
  startTransition,
  useActionState,
  useEffect,
  useRef,
} from 'react';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { type FormState, UNSENT } from './submit-form.ts';

/** A server action with what the page binds to it: what a form calls. */
export type SaveForm<Result> = (previous: FormState<Result>, form: FormData) => Promise<FormState<Result>>;

export type FormHandle<Result> = {
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
