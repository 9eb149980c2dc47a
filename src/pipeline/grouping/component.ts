import type { GroupingComponent } from './grouping-types.ts';

/** Kinds that a person knows by another name than their id. */
const NAMES: Readonly<Record<string, string>> = {
  app: 'in-app',
  exception: 'exception',
  stacktrace: 'stack trace',
  threads: 'thread',
  hostname: 'hostname',
  violation: 'violation',
  uri: 'URL',
  message: 'message',
  template: 'template',
};

/** A part that contributes when it holds a text, or at least one part that contributes. */
export const component = (
  id: string,
  values: GroupingComponent['values'],
  hint: string | null = null,
): GroupingComponent => ({
  id,
  name: NAMES[id] ?? null,
  contributes: values.some(contributes),
  hint,
  values,
});

const contributes = (value: string | GroupingComponent): boolean =>
  typeof value === 'string' || value.contributes;

/** A part of one text; without the text it is empty and does not contribute. */
export const leaf = (
  id: string,
  text: string | null | undefined,
  hint: string | null = null,
): GroupingComponent => component(id, text === null || text === undefined ? [] : [text], hint);

/** The same part, not contributing. Its values stay, to be shown. */
export const ignored = (part: GroupingComponent, hint: string | null = part.hint): GroupingComponent => ({
  ...part,
  contributes: false,
  hint,
});

/** The texts that are hashed, in order. */
export function leavesOf(part: GroupingComponent): string[] {
  const leaves: string[] = [];
  collectLeaves(part, leaves);
  return leaves;
}

function collectLeaves(part: GroupingComponent, leaves: string[]): void {
  if (!part.contributes) return;
  for (const value of part.values) {
    if (typeof value === 'string') leaves.push(value);
    else collectLeaves(value, leaves);
  }
}

/** Whether a part of that kind contributes anywhere below, itself not counted. */
const hasContributing = (part: GroupingComponent, id: string): boolean =>
  part.values.some(
    (value) =>
      typeof value !== 'string' && value.contributes && (value.id === id || hasContributing(value, id)),
  );

/** What a strategy found: with stack traces in the user's own code (`app`) and in all of it (`system`), else `default`. */
export type ComponentsByVariant = {
  readonly app?: GroupingComponent;
  readonly system?: GroupingComponent;
  readonly default?: GroupingComponent;
};

/**
 * Of two variants that would say the same only `app` stays, and one without a stack trace goes when the other has one:
 * it would put together whatever has that type and value.
 */
export function withoutRedundantVariants({ app, system }: ComponentsByVariant): ComponentsByVariant {
  if (app === undefined || system === undefined) return { ...(app && { app }), ...(system && { system }) };
  const other = isSame(app, system) ? ignored(system, 'same hash as the app variant') : system;
  const appHasStack = hasContributing(app, 'stacktrace');
  const systemHasStack = hasContributing(other, 'stacktrace');
  if (appHasStack === systemHasStack) return { app, system: other };
  return appHasStack
    ? { app, system: ignored(other, 'only the app variant has a contributing stack trace') }
    : { app: ignored(app, 'only the system variant has a contributing stack trace'), system: other };
}

const isSame = (app: GroupingComponent, system: GroupingComponent): boolean =>
  app.contributes && system.contributes && leavesOf(app).join('') === leavesOf(system).join('');
