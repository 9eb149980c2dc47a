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

/** What every answer to a form of settings holds. */
export type SettingsState = {
  /** What is wrong with the whole; null when nothing is, or only single fields are. */
  error: string | null;
  /** Milliseconds since the epoch; null until it was saved. */
  savedAt: number | null;
};

export type SettingsFormHandle<State extends SettingsState> = {
  state: State;
  isPending: boolean;
  /** For the form element. */
  formProps: FormHTMLAttributes<HTMLFormElement> & { ref: RefObject<HTMLFormElement | null> };
};

/**
 * A form that stays on the page: what was typed stays, success is told as a toast, and people are taken to the first field
 * that is wrong. Works without script as well.
 */
export function useSettingsForm<State extends SettingsState>(
  action: (previous: State, form: FormData) => Promise<State>,
  initial: Awaited<State>,
  savedTitle: string,
): SettingsFormHandle<State> {
  const [state, save, isPending] = useActionState<State, FormData>(action, initial);
  useEffect(() => {
    if (state.savedAt !== null) showToast({ title: savedTitle });
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
