/** Whether everything is tried, at full length: `npm run test:full`. */
export const IS_FULL = Boolean(process.env.ERRATA_TEST_FULL);
