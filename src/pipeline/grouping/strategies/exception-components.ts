import type { ExceptionValue, Mechanism, NormalizedEvent } from '#protocol/event.ts';
import { component, ignored, leaf } from '../component.ts';
import type { GroupingContext } from '../grouping-context.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import { type ComponentsByVariant, withoutRedundantVariants } from './components-by-variant.ts';
import { relevantExceptions } from './exception-groups.ts';
import { normalizeMessage } from './message-components.ts';
import { stackTraceComponents } from './stack-trace-components.ts';

/** One exception; without a stack trace there is only `app`. */
function exceptionComponents(exception: ExceptionValue, context: GroupingContext): ComponentsByVariant {
  const type = typeComponent(exception);
  const value = messageComponent(exception.value);
  const nsError = nsErrorComponent(exception.mechanism);
  const module = crashModule(exception);
  const build = (stacktrace: GroupingComponent): GroupingComponent => {
    const parts = { type, value: valueBeside(value, nsError, stacktrace), ns_error: nsError, stacktrace };
    const ordered = context.config.exceptionOrder.flatMap((name) => parts[name] ?? []);
    return component('exception', module === null ? ordered : [...ordered, module]);
  };
  if (!exception.stacktrace) return { app: build(component('stacktrace', [])) };
  const { app, system } = stackTraceComponents(exception.stacktrace, context);
  return { app: build(app), system: build(system) };
}

/** SDKs throw synthetic exceptions only to have a stack trace: their type says nothing. */
function typeComponent({ type, mechanism }: ExceptionValue): GroupingComponent {
  const part = leaf('type', type || null);
  return mechanism?.synthetic ? ignored(part, 'the exception is synthetic') : part;
}

function messageComponent(value: string | null | undefined): GroupingComponent {
  if (!value) return leaf('value', null);
  const normalized = normalizeMessage(value);
  return leaf('value', normalized, normalized === value ? null : 'what varies was replaced');
}

function valueBeside(
  value: GroupingComponent,
  nsError: GroupingComponent | null,
  stacktrace: GroupingComponent,
): GroupingComponent {
  if (!value.contributes) return value;
  if (stacktrace.contributes) return ignored(value, 'the stack trace tells more');
  return nsError?.contributes ? ignored(value, 'the code of the NSError tells more') : value;
}

/** Errors of Cocoa are told apart by domain and code; null for others. */
function nsErrorComponent(mechanism: Mechanism | null | undefined): GroupingComponent | null {
  const error = mechanism?.meta?.ns_error;
  if (typeof error !== 'object' || error === null) return null;
  const { domain, code } = error as { domain?: unknown; code?: unknown };
  return component('ns_error', [leaf('domain', textOf(domain)), leaf('code', textOf(code))]);
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

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

/**
 * The library or program in which a process died, of a crash dump in which no function has a name: addresses differ from
 * run to run, and the signal alone would put all crashes of a program together. null for every other exception.
 */
function crashModule({ mechanism, stacktrace }: ExceptionValue): GroupingComponent | null {
  if (mechanism?.type !== 'minidump' && mechanism?.type !== 'unreal') return null;
  const frames = stacktrace?.frames ?? [];
  const image = frames.at(-1)?.package?.split(/[\\/]/).at(-1);
  if (!image || frames.some((frame) => frame.function || frame.raw_function)) return null;
  return leaf('crash_module', image.toLowerCase(), 'no function of the dump has a name');
}
