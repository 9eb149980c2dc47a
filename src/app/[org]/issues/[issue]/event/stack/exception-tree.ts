import type { ExceptionValue } from '#protocol/event.ts';

export type ExceptionNode = {
  /** Place among the exceptions as sent. */
  index: number;
  /** 0 for what was caught, one more for each cause or member below it. */
  depth: number;
  /** What it is to the one above it. */
  relation: 'caught' | 'cause' | 'member';
  /** Of a member: which one of how many, 1-based. */
  place: readonly [number, number] | null;
};

/**
 * Exceptions in the order in which they are read: what was caught, then what is below it. Groups are told by the ids
 * that SDKs give; without ids, or with ids that make no tree, each is the cause of the one after it, as sent.
 * Source: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/exception/
 */
export function exceptionTree(values: readonly ExceptionValue[]): ExceptionNode[] {
  const ids = values.map(({ mechanism }) => mechanism?.exception_id ?? null);
  const byId = new Map(ids.flatMap((id, index) => (id === null ? [] : [[id, index] as const])));
  if (byId.size !== values.length || values.length < 2) return chain(values);
  const below = new Map<number, number[]>();
  const roots: number[] = [];
  values.forEach(({ mechanism }, index) => {
    const parent = mechanism?.parent_id ?? null;
    const above = parent === null ? undefined : byId.get(parent);
    if (above === undefined || above === index) roots.push(index);
    else below.set(above, [...(below.get(above) ?? []), index]);
  });
  const nodes: ExceptionNode[] = [];
  for (const root of roots) visit(root, 0, 'caught', null);
  // What hangs in a circle is reached from no root.
  return nodes.length === values.length ? nodes : chain(values);

  function visit(
    index: number,
    depth: number,
    relation: ExceptionNode['relation'],
    place: ExceptionNode['place'],
  ) {
    nodes.push({ index, depth, relation, place });
    const children = (below.get(index) ?? []).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0));
    const isGroup = values[index]?.mechanism?.is_exception_group === true;
    const members = isGroup ? children.filter((child) => isMember(values[child])) : [];
    for (const child of children) {
      const at = members.indexOf(child);
      if (at < 0) visit(child, depth + 1, 'cause', null);
      else visit(child, depth + 1, 'member', [at + 1, members.length]);
    }
  }
}

/** Whether there is more to it than one cause after the other. */
export const hasBranches = (nodes: readonly ExceptionNode[]): boolean =>
  nodes.some((node) => node.relation === 'member') ||
  nodes.filter((node) => node.relation === 'caught').length > 1;

/** The cause of a group hangs below it too; members are those that a list of it names: `exceptions[0]`. */
const isMember = (value: ExceptionValue | undefined): boolean =>
  /\[\d+\]$/.test(value?.mechanism?.source ?? '');

const chain = (values: readonly ExceptionValue[]): ExceptionNode[] =>
  values
    .map((_, index): ExceptionNode => {
      const depth = values.length - 1 - index;
      return { index, depth, relation: depth === 0 ? 'caught' : 'cause', place: null };
    })
    .reverse();
