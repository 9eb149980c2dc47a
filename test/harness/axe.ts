import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Looks for barriers in a page. In one frame, as our pages are: to look into frames of other origins it would open a new
 * page each time, which costs more than the look itself.
 */
export const axeOf = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode(true);
