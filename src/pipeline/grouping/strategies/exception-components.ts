import type { ExceptionValue, Mechanism, NormalizedEvent } from '#protocol/event.ts';
import { offsetInModule } from '../../code-location.ts';
import {
  type ComponentsByVariant,
  component,
  ignored,
  leaf,
  withoutRedundantVariants,
} from '../component.ts';
import type { GroupingComponent, GroupingContext } from '../grouping-types.ts';
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
  return leaf('value', normalized, normalized === value ? null : 'variable parts were replaced');
}

function valueBeside(
  value: GroupingComponent,
  nsError: GroupingComponent | null,
  stacktrace: GroupingComponent,
): GroupingComponent {
  if (!value.contributes) return value;
  if (stacktrace.contributes) return ignored(value, 'the stack trace is more specific');
  return nsError?.contributes ? ignored(value, 'the NSError code is more specific') : value;
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
 * The library or program in which a process died, and the place in it, of a crash dump in which no function has a name:
 * addresses differ from run to run, and the signal alone would put all crashes of a program together. null for every
 * other exception.
 */
function crashModule({ mechanism, stacktrace }: ExceptionValue): GroupingComponent | null {
  if (mechanism?.type !== 'minidump' && mechanism?.type !== 'unreal') return null;
  const frames = stacktrace?.frames ?? [];
  // What jumped to where no code is: who called is all that is known.
  const crashed = frames.findLast((frame) => frame.package);
  const image = crashed?.package?.split(/[\\/]/).at(-1);
  if (!crashed || !image || frames.some((frame) => frame.function || frame.raw_function)) return null;
  const offset = offsetInModule(crashed);
  return component(
    'crash_module',
    [image.toLowerCase(), ...(offset === null ? [] : [offset])],
    'no function in the dump has a name',
  );
}

type Node = { exception: ExceptionValue; children: ExceptionValue[] };

/**
 * The exceptions that an event is grouped by. Of an exception group: one of each kind among its members, and the root
 * last; when all members are of one kind, only the first of them with what caused it, so that the number of members does
 * not count. All exceptions when they are not linked into a tree, or the tree is broken.
 * @param fingerprintOf equal for exceptions of one kind
 */
function relevantExceptions(
  event: NormalizedEvent,
  fingerprintOf: (exception: ExceptionValue) => string,
): readonly ExceptionValue[] {
  const exceptions = event.exception?.values ?? [];
  if (exceptions.length <= 1 || numbersExceptionsAnew(event)) return exceptions;
  const tree = buildTree(exceptions);
  const root = tree?.get(0)?.exception;
  if (!tree || !root) return exceptions;
  const members = membersOf(root, tree)?.sort(byTypeDescending) ?? [];
  const kinds = members.filter(
    (member, index) =>
      index === 0 || fingerprintOf(member) !== fingerprintOf(members[index - 1] as ExceptionValue),
  );
  const [only] = kinds;
  if (only === undefined) return exceptions;
  return kinds.length === 1 ? (firstPath(only, tree) ?? exceptions) : [...kinds, root];
}

/** Since its version 3 the SDK for Python links exceptions that before were a plain chain; they stay one. */
const numbersExceptionsAnew = (event: NormalizedEvent): boolean =>
  event.platform === 'python' && (event.sdk?.version ?? '').startsWith('3');

/** By id; null when an id is missing, comes twice, or is its own parent. */
function buildTree(exceptions: readonly ExceptionValue[]): ReadonlyMap<number, Node> | null {
  const nodes = new Map<number, Node>();
  const newestFirst = exceptions.toReversed();
  for (const exception of newestFirst) {
    const id = exception.mechanism?.exception_id;
    if (typeof id !== 'number' || id === exception.mechanism?.parent_id || nodes.has(id)) return null;
    nodes.set(id, { exception, children: [] });
  }
  for (const exception of newestFirst) {
    const parent = exception.mechanism?.parent_id;
    if (typeof parent === 'number') nodes.get(parent)?.children.push(exception);
  }
  return nodes;
}

const childrenOf = (exception: ExceptionValue, tree: ReadonlyMap<number, Node>): readonly ExceptionValue[] =>
  tree.get(exception.mechanism?.exception_id ?? -1)?.children ?? [];

/** What hangs below groups and is no group itself; null when a group is below itself. */
function membersOf(root: ExceptionValue, tree: ReadonlyMap<number, Node>): ExceptionValue[] | null {
  const members: ExceptionValue[] = [];
  const seen = new Set<ExceptionValue>();
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) return null;
    seen.add(next);
    if (next.mechanism?.is_exception_group) waiting.push(...childrenOf(next, tree).toReversed());
    else members.push(next);
  }
  return members;
}

/** The exception and, again and again, the first of what hangs below it; null when that leads in a circle. */
function firstPath(
  exception: ExceptionValue,
  tree: ReadonlyMap<number, Node>,
): readonly ExceptionValue[] | null {
  const path = new Set<ExceptionValue>();
  for (let next: ExceptionValue | undefined = exception; next; next = childrenOf(next, tree)[0]) {
    if (path.has(next)) return null;
    path.add(next);
  }
  return [...path];
}

function byTypeDescending(a: ExceptionValue, b: ExceptionValue): number {
  const [first, second] = [a.type ?? 'None', b.type ?? 'None'];
  return first === second ? 0 : first < second ? 1 : -1;
}
