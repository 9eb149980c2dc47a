import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ICONS_FILE, renderIconsSheet } from './source-tree/icons-sheet.ts';

test('the style sheet has the icons that pages import: `npm run icons` writes them', async () => {
  const sheet = await renderIconsSheet();
  expect(readFileSync(ICONS_FILE, 'utf8') === sheet, 'run `npm run icons`').toBe(true);
});
