const STEP = /\.?([A-Za-z_$][\w$-]*)|\[(\d{1,6})\]|\["([^"\\\]]{1,200})"\]/y;
/** Steps of one path. */
const STEPS_MAX = 20;

/**
 * The steps of a path such as `$.data.items[0]["a b"].id`; null when it is none. There are no wildcards or filters: an
 * assertion is about one value.
 */
export function parseJsonPath(path: string): readonly (string | number)[] | null {
  const rest = path.replace(/^\$(?=[.[]|$)/, '');
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < rest.length) {
    if (steps.length === STEPS_MAX) return null;
    const match = STEP.exec(rest);
    if (!match) return null;
    const [, name, index, quoted] = match;
    steps.push(index === undefined ? (name ?? quoted ?? '') : Number(index));
  }
  return steps;
}

/** The value at the path; undefined when there is none, or the path is none. */
export function readJsonPath(value: unknown, path: string): unknown {
  const steps = parseJsonPath(path);
  if (steps === null) return undefined;
  let found = value;
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}
