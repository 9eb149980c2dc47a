import type { NormalizedEvent, Thread } from '#protocol/event.ts';
import { component, ignored } from '../component.ts';
import type { GroupingContext } from '../grouping-context.ts';
import { type ComponentsByVariant, withoutRedundantVariants } from './components-by-variant.ts';
import { stackTraceComponents } from './stack-trace-components.ts';

/** The one thread that crashed, else the one that was current, else the only one. */
export function threadComponents(event: NormalizedEvent, context: GroupingContext): ComponentsByVariant {
  const threads = event.threads?.values ?? [];
  if (threads.length === 0) return {};
  const crashed = threads.filter((thread) => thread.crashed);
  const current = threads.filter((thread) => thread.current);
  const chosen = [crashed, current, threads].find((candidates) => candidates.length === 1)?.[0];
  if (chosen !== undefined) return ofThread(chosen, context);
  const hint = `none of ${threads.length} threads stands out: ${crashed.length} crashed, ${current.length} current`;
  return { app: ignored(component('threads', []), hint) };
}

function ofThread({ stacktrace }: Thread, context: GroupingContext): ComponentsByVariant {
  if (!stacktrace) return { app: ignored(component('threads', []), 'the thread has no stack trace') };
  const { app, system } = stackTraceComponents(stacktrace, context);
  return withoutRedundantVariants({
    app: component('threads', [app]),
    system: component('threads', [system]),
  });
}
