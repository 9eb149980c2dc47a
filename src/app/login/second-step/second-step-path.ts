/** Where the second factor is asked, before going on to `next`. */
export const secondStepPath = (next: string): string =>
  next === '/' ? '/login/second-step' : `/login/second-step?next=${encodeURIComponent(next)}`;
