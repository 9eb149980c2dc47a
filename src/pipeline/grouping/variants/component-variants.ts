import type { NormalizedEvent } from '#protocol/event.ts';
import { component, ignored } from '../component.ts';
import type { GroupingContext } from '../grouping-context.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import { chainedExceptionComponents } from '../strategies/chained-exception-components.ts';
import type { ComponentsByVariant } from '../strategies/components-by-variant.ts';
import { messageComponents, templateComponents } from '../strategies/message-components.ts';
import {
  cspComponents,
  expectCtComponents,
  expectStapleComponents,
  hpkpComponents,
} from '../strategies/report-components.ts';
import { loneStackTraceComponents } from '../strategies/stack-trace-components.ts';
import { threadComponents } from '../strategies/thread-components.ts';

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
    if (deciding.length > 0) hint ??= `${name} decides, in the variant ${deciding.join(' and ')}`;
  }
  const variants = VARIANTS.filter((variant) => found[variant].length > 0);
  return new Map(
    variants.map((variant) => {
      const root = component(variant, found[variant]);
      return [variant, root.contributes ? root : ignored(root, hint)];
    }),
  );
}
