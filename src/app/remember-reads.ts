import type { Context } from '#product/context.ts';

/** What was asked within one request, with its answer. */
export type Remembered = Map<string, Promise<unknown>>;

/**
 * The context of a request that changes nothing: which projects there are and where the events of an issue are found, which
 * every part of an answer asks for, is read once. `remembered` is called for each question; a new map remembers nothing.
 */
export function rememberReads(ctx: Context, remembered: () => Remembered): Context {
  const once =
    <Args extends readonly unknown[], Answer>(name: string, ask: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> => {
      const known = remembered();
      const question = JSON.stringify([name, ...args]);
      const answer = (known.get(question) as Promise<Answer> | undefined) ?? ask(...args);
      known.set(question, answer);
      return answer;
    };
  const { stores } = ctx;
  const { projects, issues } = stores;
  return {
    ...ctx,
    stores: {
      ...stores,
      projects: { ...projects, listProjects: once('projects', projects.listProjects) },
      issues: { ...issues, listHashes: once('hashes', issues.listHashes) },
    },
  };
}
