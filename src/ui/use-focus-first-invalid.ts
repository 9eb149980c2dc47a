import { type RefObject, useEffect } from 'react';

/**
 * Takes people to the first field that is marked as wrong, after each answer to a form. `answer` is the state that the
 * action gave: a new object every time.
 */
export function useFocusFirstInvalid(form: RefObject<HTMLElement | null>, answer: object): void {
  useEffect(() => {
    if (answer) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, answer]);
}
