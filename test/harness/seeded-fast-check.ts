import fc from 'fast-check';
import { IS_FULL } from './is-full.ts';

/** Of the cases that a test asks for. */
const SHARE_OF_SHORT_RUN = 0.2;

// The short run looks at the same few cases every time, so that a failure tells of a change; the full run at new ones.
if (!IS_FULL) fc.configureGlobal({ seed: 1 });

const assert = ((property, { numRuns, ...parameters } = {}) =>
  fc.assert(property, {
    ...parameters,
    ...(numRuns && { numRuns: Math.ceil(numRuns * (IS_FULL ? 1 : SHARE_OF_SHORT_RUN)) }),
  })) as typeof fc.assert;

export * from 'fast-check';
export { assert };
export default { ...fc, assert };
