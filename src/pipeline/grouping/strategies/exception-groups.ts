import type { ExceptionValue, NormalizedEvent } from '#protocol/event.ts';

type Node = { exception: ExceptionValue; children: ExceptionValue[] };

/**
 * The exceptions that an event is grouped by. Of an exception group: one of each kind among its members, and the root
 * last; when all members are of one kind, only the first of them with what caused it, so that the number of members does
 * not count. All exceptions when they are not linked into a tree, or the tree is broken.
 * @param fingerprintOf equal for exceptions of one kind
 */
export function relevantExceptions(
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
