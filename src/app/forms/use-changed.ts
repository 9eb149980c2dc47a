'use client';

import { type RefObject, useEffect, useState } from 'react';

/** Whether the fields of a form are other than when it appeared, or was last saved. */
export function useChanged(form: RefObject<HTMLFormElement | null>, savedAt: number | null): boolean {
  const [isChanged, setIsChanged] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was saved is what is compared with
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const kept = typedIn(element);
    const compare = () => setIsChanged(typedIn(element) !== kept);
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
