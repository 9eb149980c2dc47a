import { hasContributing, ignored, leavesOf } from '../component.ts';
import type { GroupingComponent } from '../grouping-types.ts';

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
  const other = isSame(app, system) ? ignored(system, 'the hash is that of the app variant') : system;
  const appHasStack = hasContributing(app, 'stacktrace');
  const systemHasStack = hasContributing(other, 'stacktrace');
  if (appHasStack === systemHasStack) return { app, system: other };
  return appHasStack
    ? { app, system: ignored(other, 'only the app variant has a stack trace that contributes') }
    : { app: ignored(app, 'only the system variant has a stack trace that contributes'), system: other };
}

const isSame = (app: GroupingComponent, system: GroupingComponent): boolean =>
  app.contributes && system.contributes && leavesOf(app).join('') === leavesOf(system).join('');
