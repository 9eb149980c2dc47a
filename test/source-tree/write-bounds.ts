// `npm run bounds`: writes the table of bounds in docs/bounds.md anew.
import { writeFileSync } from 'node:fs';
import { BOUNDS_FILE, readBoundsFile, renderBounds } from './bounds-document.ts';

writeFileSync(BOUNDS_FILE, renderBounds(readBoundsFile()));
