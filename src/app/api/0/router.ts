import type { Method, Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** One address of the API with what it answers. */
export type ApiRoute = {
  /** `organizations/[org]/members`; empty for the root. */
  path: string;
  operations: Readonly<Partial<Record<Method, Operation>>>;
};

type Candidate = ApiRoute & { segments: readonly string[] };

/** Every route, those with names before those with parameters in their place, from the left. */
export const ROUTES: readonly ApiRoute[] = collectRoutes(OPERATIONS);

/** The route of an address in decoded segments with its parameters; null for one that there is not. */
export function findRoute(
  segments: readonly string[],
): { route: ApiRoute; params: Readonly<Record<string, string>> } | null {
  const route = (ROUTES as readonly Candidate[]).find(
    (candidate) =>
      candidate.segments.length === segments.length &&
      candidate.segments.every((segment, index) => isDynamic(segment) || segment === segments[index]),
  );
  if (!route) return null;
  const dynamic = route.segments.flatMap((segment, index) =>
    isDynamic(segment) ? [[segment.slice(1, -1), segments[index] ?? ''] as const] : [],
  );
  return { route, params: Object.fromEntries(dynamic) };
}

function collectRoutes(operations: readonly Operation[]): readonly Candidate[] {
  const byPath = new Map<string, Partial<Record<Method, Operation>>>();
  for (const operation of operations) {
    for (const path of operation.paths) {
      const known = byPath.get(path) ?? {};
      if (known[operation.method]) throw new Error(`Two operations are ${operation.method} ${path}`);
      known[operation.method] = operation;
      byPath.set(path, known);
    }
  }
  return [...byPath]
    .map(([path, operations]) => ({ path, segments: path.split('/').filter(Boolean), operations }))
    .sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
}

function isDynamic(segment: string): boolean {
  return segment.startsWith('[');
}

/** Compares as the framework orders its folders: names before parameters in their place, from the left. */
function rankOf({ segments, path }: Candidate): string {
  return `${segments.map((segment) => (isDynamic(segment) ? '1' : '0')).join('')} ${path}`;
}
