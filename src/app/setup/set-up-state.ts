import type { SetUpProblems } from '#product/accounts/set-up-instance.ts';

/** What was wrong with the last try: with single fields, and with the whole (null: nothing). */
export type SetUpState = { problems: SetUpProblems; error: string | null };
