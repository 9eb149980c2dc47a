'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the fields of a form are other than when it appeared, or was last saved. `savedAt` is null after a refusal. */
export function useChanged(form: RefObject<HTMLFormElement | null>, savedAt: number | null): boolean {
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
