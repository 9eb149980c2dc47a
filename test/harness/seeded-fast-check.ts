import fc from 'fast-check';
import { IS_FULL } from './is-full.ts';

// The short run looks at the same cases every time, so that a failure tells of a change; the full run at new ones.
if (!IS_FULL) fc.configureGlobal({ seed: 1 });

export * from 'fast-check';
export default fc;
