import type { Names } from './default-rules.ts';

/**
 * The kinds of code that are known by name, in the order in which they are told apart: a frame that fits several gets
 * the last.
 */
export const CATEGORIES = [
  'system',
  'std',
  'ui',
  'runtime',
  'av',
  'internals',
  'threadbase',
  'malloc',
  'indirection',
  'dtor',
  'shutdown',
  'handler',
  'throw',
  'driver',
  'free',
  'gl',
  'telemetry',
  'load',
  'lock',
] as const;

export type Category = (typeof CATEGORIES)[number];

/** Two names that only together tell something. */
export type NamePair = { readonly function: string } & (
  | { readonly module: string }
  | { readonly package: string }
);

/** What a platform has of one category. */
export type CategoryNames = Names & { readonly pairs?: readonly NamePair[] };

export type PlatformCategories = { readonly [Name in Category]?: CategoryNames };
