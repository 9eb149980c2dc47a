import type { Page } from 'playwright-core';
import { axeOf } from './axe.ts';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** What comes after the first paint is looked at as well. */
const SETTLE_MS = 150;
/** What a narrow page may get wrong that a wide one has right. */
const PHONE_RULES = ['button-name', 'link-name', 'label', 'aria-hidden-focus', 'scrollable-region-focusable'];

/** What is wrong with a page, as far as a program can tell. */
export async function soundnessOf(page: Page, address: string): Promise<string[]> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(300);
  const { violations } = await axeOf(page).analyze();
  return [
    ...violations.map(({ id, nodes }) => `${address}: ${id}: ${nodes[0]?.html}`),
    ...(await sidewaysOf(page)).map((what) => `${address}: ${what}`),
  ];
}

/**
 * What is wrong with the page as it stands, in light, and at the width of a phone; in dark as well when `isThorough`.
 * Leaves it as a phone has it.
 */
export async function faultsOf(page: Page, isThorough: boolean): Promise<string[]> {
  await page.waitForTimeout(SETTLE_MS);
  const found = await seriousViolations(page);
  if (isThorough) {
    // Only colors change with the scheme.
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForTimeout(SETTLE_MS);
    found.push(...(await seriousViolations(page, ['color-contrast'])).map((what) => `dark: ${what}`));
  }
  await page.setViewportSize(PHONE);
  await page.waitForTimeout(SETTLE_MS);
  if (isThorough) {
    // And only places with the width.
    found.push(...(await seriousViolations(page, PHONE_RULES)).map((what) => `390 px: ${what}`));
  }
  found.push(...(await sidewaysOf(page)).map((what) => `390 px: ${what}`));
  return found;
}

async function sidewaysOf(page: Page): Promise<string[]> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  return scrollWidth > clientWidth ? [`scrolls sideways, ${scrollWidth} wide`] : [];
}

async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = axeOf(page);
  if (rules) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
