import { hash } from 'node:crypto';
import type { NormalizedEvent } from '#protocol/event.ts';
import { type ComponentsByVariant, component, ignored, leavesOf } from './component.ts';
import { DEFAULT_ENTRY } from './fingerprint/fingerprint-variables.ts';
import type { GroupingComponent, GroupingContext, GroupingVariant, VariantName } from './grouping-types.ts';
import { chainedExceptionComponents } from './strategies/exception-components.ts';
import {
  cspComponents,
  expectCtComponents,
  expectStapleComponents,
  hpkpComponents,
  messageComponents,
  templateComponents,
} from './strategies/message-components.ts';
import { loneStackTraceComponents, threadComponents } from './strategies/stack-trace-components.ts';

type Strategy = {
  /** For people. */
  name: string;
  find: (event: NormalizedEvent, context: GroupingContext) => ComponentsByVariant;
};

/** The first that finds something that contributes wins. */
const STRATEGIES: readonly Strategy[] = [
  { name: 'the exception', find: chainedExceptionComponents },
  { name: 'the thread', find: threadComponents },
  { name: 'the stack trace', find: loneStackTraceComponents },
  { name: 'the template', find: templateComponents },
  { name: 'the CSP report', find: cspComponents },
  { name: 'the HPKP report', find: hpkpComponents },
  { name: 'the Expect-Staple report', find: expectStapleComponents },
  { name: 'the Expect-CT report', find: expectCtComponents },
  { name: 'the message', find: messageComponents },
];

/** In the order of their hashes: the first that contributes is the primary one. */
const VARIANTS = ['app', 'system', 'default'] as const;
export type ComponentVariantName = (typeof VARIANTS)[number];

/** What the strategies make of an event, one tree for each variant that any of them knows. */
export function componentVariants(
  event: NormalizedEvent,
  context: GroupingContext,
): ReadonlyMap<ComponentVariantName, GroupingComponent> {
  const found: Record<ComponentVariantName, GroupingComponent[]> = { app: [], system: [], default: [] };
  let hint: string | null = null;
  for (const { name, find } of STRATEGIES) {
    const components = find(event, context);
    const deciding = VARIANTS.filter((variant) => components[variant]?.contributes);
    for (const variant of VARIANTS) {
      const part = components[variant];
      if (part === undefined) continue;
      found[variant].push(hint !== null && part.contributes ? ignored(part, hint) : part);
    }
    if (deciding.length > 0) hint ??= `overridden by ${name} in the ${deciding.join(' and ')} variant`;
  }
  const variants = VARIANTS.filter((variant) => found[variant].length > 0);
  return new Map(
    variants.map((variant) => {
      const root = component(variant, found[variant]);
      return [variant, root.contributes ? root : ignored(root, hint)];
    }),
  );
}

/** md5 over the texts one after the other, with nothing between them; 32 lower-case hex digits. */
export const hashOf = (values: readonly string[]): string => hash('md5', values.join(''));

/** A variant by what the strategies found; with a fingerprint, its other entries stand around the default ones. */
export function componentVariant(
  name: VariantName,
  tree: GroupingComponent,
  fingerprint: readonly string[] | null = null,
): GroupingVariant {
  const { contributes, hint } = tree;
  if (!contributes) return { name, hash: null, contributes, hint, values: [], tree, fingerprint };
  const leaves = leavesOf(tree);
  const values = fingerprint?.flatMap((entry) => (entry === DEFAULT_ENTRY ? leaves : entry)) ?? leaves;
  return { name, hash: hashOf(values), contributes, hint: null, values, tree, fingerprint };
}

export const fingerprintVariant = (name: VariantName, fingerprint: readonly string[]): GroupingVariant => ({
  ...contributing(name, hashOf(fingerprint), fingerprint),
  fingerprint,
});

const HASH = /^[0-9a-f]{32}$/;

/** A checksum is the hash when it looks like one, else it is hashed. */
export const checksumVariant = (checksum: string): GroupingVariant =>
  HASH.test(checksum)
    ? contributing('checksum', checksum, [])
    : contributing('hashed_checksum', hashOf([checksum]), [checksum]);

/** Events in which nothing was found are one issue. */
export const fallbackVariant = (): GroupingVariant => contributing('fallback', hashOf([]), []);

const contributing = (name: VariantName, hash: string, values: readonly string[]): GroupingVariant => ({
  name,
  hash,
  contributes: true,
  hint: null,
  values,
  tree: null,
  fingerprint: null,
});
