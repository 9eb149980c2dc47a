const ISSUES_PER_STEP = 1_000;
const STEPS_MAX = 1_000;

/** Repeats a step until it finds less than it may take, so that no transaction is long. Answers the sum. */
export async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = 0; count < STEPS_MAX; count++) {
    const done = await step(ISSUES_PER_STEP);
    total += done;
    if (done < ISSUES_PER_STEP) break;
  }
  return total;
}
