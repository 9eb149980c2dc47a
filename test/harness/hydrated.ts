import type { Page } from 'playwright-core';

/** Waits until the page's code has taken over the element: before that, keys and clicks do nothing. */
export async function hydrated(page: Page, selector = '#main > *'): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const element = document.querySelector(wanted);
      return element !== null && Object.keys(element).some((key) => key.startsWith('__reactProps$'));
    },
    selector,
    { timeout: 20_000 },
  );
  // The element is taken over a moment before its effects have run; they have once nothing is left to do.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestIdleCallback(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
      }),
  );
}
