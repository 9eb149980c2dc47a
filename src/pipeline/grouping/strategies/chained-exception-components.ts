import type { ExceptionValue, NormalizedEvent } from '#protocol/event.ts';
import { component } from '../component.ts';
import type { GroupingContext } from '../grouping-context.ts';
import { type ComponentsByVariant, withoutRedundantVariants } from './components-by-variant.ts';
import { exceptionComponents } from './exception-components.ts';
import { relevantExceptions } from './exception-groups.ts';

/** The exceptions of an event: one of them, or a chain in the order in which they came. */
export function chainedExceptionComponents(
  event: NormalizedEvent,
  context: GroupingContext,
): ComponentsByVariant {
  const built = new Map<ExceptionValue, ComponentsByVariant>();
  const build = (exception: ExceptionValue): ComponentsByVariant => {
    const components = built.get(exception) ?? exceptionComponents(exception, context);
    built.set(exception, components);
    return components;
  };
  const exceptions = relevantExceptions(event, (exception) => JSON.stringify(build(exception))).map(build);
  const [only] = exceptions;
  if (only === undefined) return {};
  return withoutRedundantVariants(exceptions.length === 1 ? only : chain(exceptions));
}

/** In `system` are only the exceptions that have a stack trace. */
function chain(exceptions: readonly ComponentsByVariant[]): ComponentsByVariant {
  const system = exceptions.flatMap((exception) => exception.system ?? []);
  return {
    app: component(
      'chained_exception',
      exceptions.flatMap((exception) => exception.app ?? []),
    ),
    ...(system.length > 0 && { system: component('chained_exception', system) }),
  };
}
