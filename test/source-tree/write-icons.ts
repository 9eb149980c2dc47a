// `npm run icons`: writes the style sheet of the icons that pages import anew.
import { writeFileSync } from 'node:fs';
import { ICONS_FILE, renderIconsSheet } from './icons-sheet.ts';

writeFileSync(ICONS_FILE, await renderIconsSheet());
