import type { Issue } from '#domain/issues/issue.ts';
import { shareIssue } from '#product/sharing/sharing.ts';
import type { ClosedScene } from './closed-scene.ts';
import type { Joined } from './scene.ts';

export type ActionRow = {
  /** The verb behind it, whose row says what it needs and what it concerns. */
  verb: string;
  /** What the browser sends. */
  /** What it says to who may, where the matrix does not let it happen; absent where it does. */
  answers?: RegExp;
  args: (scene: ClosedScene, asker: Joined) => Promise<readonly unknown[]> | readonly unknown[];
};

export const row = (verb: string, args: ActionRow['args']): ActionRow => ({ verb, args });

export const form = (fields: Readonly<Record<string, string>> = {}): FormData => {
  const filled = new FormData();
  for (const [name, value] of Object.entries(fields)) filled.append(name, value);
  return filled;
};
/** The state of a form before it was sent. */
export const BEFORE = { error: null, problems: {}, savedAt: null, saved: 0, values: {}, result: null };

export const placeOf = ({ mine }: ClosedScene, { shortId }: Issue) => ({
  organizationSlug: mine.slug,
  shortId,
});

export const sharedPlace = async (s: ClosedScene) => {
  const issue = await s.newIssue();
  await shareIssue(s.owner, issue, { days: 7 });
  return placeOf(s, issue);
};

/** The rows of a file below `src/app`, by the names of its actions. */
export const below = (path: string, rows: Readonly<Record<string, ActionRow>>): Record<string, ActionRow> =>
  Object.fromEntries(Object.entries(rows).map(([name, each]) => [`${path} ${name}`, each]));
