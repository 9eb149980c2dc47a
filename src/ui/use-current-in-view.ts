import { type RefObject, useEffect } from 'react';

/** For a line of links that may scroll sideways: the current one is in view, anew whenever `current` changes. */
export function useCurrentInView(line: RefObject<HTMLElement | null>, current: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current link
  useEffect(() => {
    const element = line.current;
    const link = element?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!element || !link || element.scrollWidth <= element.clientWidth) return;
    element.scrollLeft = link.offsetLeft - element.offsetLeft - (element.clientWidth - link.offsetWidth) / 2;
  }, [line, current]);
}
