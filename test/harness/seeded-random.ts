/** Numbers in [0, 1) that are the same for the same seed; mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** From ERRATA_TEST_SEED, else a new one; printed, so that a failure can be played again. */
export function chooseSeed(): number {
  const seed = Number(process.env.ERRATA_TEST_SEED) || Math.floor(Math.random() * 1_000_000_000);
  process.stdout.write(`seed: ERRATA_TEST_SEED=${seed}\n`);
  return seed;
}

/** In another order; the given list stays. */
export function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
