import type { Page } from 'playwright-core';
import { axeOf } from './axe.ts';

/** What is wrong with a page, as far as a program can tell. */
export async function soundnessOf(page: Page, address: string): Promise<string[]> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // What comes after the first paint is looked at as well.
  await page.waitForTimeout(300);
  const { violations } = await axeOf(page).analyze();
  const isWide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  return [
    ...violations.map(({ id, nodes }) => `${address}: ${id}: ${nodes[0]?.html}`),
    ...(isWide ? [`${address}: scrolls sideways`] : []),
  ];
}
