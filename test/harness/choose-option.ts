import type { Page } from 'playwright-core';

/** Chooses in an open select, as a hand does: it takes a click only on the option that the pointer has highlighted. */
export async function chooseOption(page: Page, name: string): Promise<void> {
  const option = page.getByRole('option', { name, exact: true });
  await option.hover();
  await option.and(page.locator('[data-highlighted]')).click();
}
