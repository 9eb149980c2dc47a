import { type RefObject, useEffect, useState } from 'react';

/** Classes for a line that scrolls sideways: an end that fades out has more behind it. */
export function useFadingEnds(line: RefObject<HTMLElement | null>): string {
  const [hidden, setHidden] = useState({ before: false, after: false });
  useEffect(() => {
    const element = line.current;
    if (!element) return;
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      // Widths are rounded: a pixel is nothing.
      setHidden({ before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 });
    };
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [line]);
  if (hidden.before && hidden.after) {
    return '[mask-image:linear-gradient(to_right,transparent,black_32px,black_calc(100%-32px),transparent)]';
  }
  if (hidden.before) return '[mask-image:linear-gradient(to_left,black_calc(100%-32px),transparent)]';
  return hidden.after ? '[mask-image:linear-gradient(to_right,black_calc(100%-32px),transparent)]' : '';
}
