/**
 * How much a body may grow by being unpacked. JSON, logs and stack memory pack 5 to 60 times; what packs more than this,
 * for longer than the floor, is filler that somebody else's disk and processor pay for.
 */
export const INFLATION_RATIO_MAX = 100;
/** Up to here nobody asks: a short body of one repeated line is no harm. */
export const INFLATION_FLOOR_BYTES = 16 * 1024 * 1024;

export const inflatesTooMuch = (packedBytes: number, bytes: number): boolean =>
  bytes > INFLATION_FLOOR_BYTES && bytes > packedBytes * INFLATION_RATIO_MAX;

export const INFLATES_TOO_MUCH = `unpacks to more than ${INFLATION_RATIO_MAX} times its size: send it uncompressed, or without the filler`;
