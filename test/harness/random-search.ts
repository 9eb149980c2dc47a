type Random = () => number;

/** A word that every random value holds: it must never stand in a statement, only in its parameters. */
export const MARK = 'zqxmark';

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

const KEYS = [
  ...['is', 'has', 'assigned', 'assigned_or_suggested', 'bookmarks', 'subscribed', 'level', 'issue.priority'],
  ...[
    'firstSeen',
    'lastSeen',
    'age',
    'timesSeen',
    'timestamp',
    'issue',
    'issue.id',
    'issue.category',
    'project',
  ],
  ...[
    'release',
    'release.version',
    'release.package',
    'release.build',
    'firstRelease',
    'environment',
    'dist',
  ],
  ...[
    'title',
    'message',
    'culprit',
    'platform',
    'logger',
    'transaction',
    'trace',
    'id',
    'event.type',
    'type',
  ],
  ...['error.type', 'error.value', 'error.mechanism', 'error.handled', 'error.unhandled', 'stack.function'],
  ...[
    'stack.filename',
    'stack.lineno',
    'stack.colno',
    'stack.in_app',
    'stack.module',
    'user.id',
    'user.email',
  ],
  ...[
    'user.ip',
    'http.method',
    'http.status_code',
    'device.arch',
    'os.name',
    'geo.city',
    'browser.name',
    'sdk.name',
  ],
  ...[
    'custom',
    'tags[custom]',
    'tags[custom,number]',
    '"quoted:key"',
    'flags[x]',
    'p95(measurements.lcp)',
    'count()',
  ],
] as const;

const PIECES = [
  ...[
    "'",
    '"',
    '\\',
    '%',
    '_',
    '`',
    ';',
    '--',
    '/*',
    '*/',
    '{x:String}',
    '$1',
    '?',
    '*',
    '\\*',
    ')',
    '(',
    '[',
    ']',
  ],
  ...[',', ':', '!', ' ', '\t', '\n', '\0', '😀', '\ud800', 'é', '\u2028', '<', '>', '=', '@', '#', '|', '&'],
] as const;

const PLAIN = [
  ...[
    'unresolved',
    'resolved',
    'archived',
    'new',
    'regressed',
    'assigned',
    'linked',
    'me',
    'none',
    'my_teams',
  ],
  ...[
    'error',
    'fatal',
    'high',
    'low',
    'true',
    '0',
    'latest',
    '1.2.3',
    '>=1.2',
    '<5',
    '>1k',
    '-24h',
    '+7d',
    '2026-03-01',
  ],
  ...['>2026-03-01T10:00:00Z', '2026-02-31', '12', '-3.5m', '1.*', '*', '**', 'web@*', 'cart', 'WEB-1', 'x'],
] as const;

/** A search that may be good or broken, by the grammar and beyond it. */
export function randomSearch(random: Random): string {
  const terms = Array.from({ length: 1 + Math.floor(random() * 6) }, () => term(random, 0));
  return terms.join(pick(random, [' ', ' ', ' ', ' AND ', ' OR ', ' or ', '']));
}

function term(random: Random, depth: number): string {
  const chance = random();
  if (chance < 0.12 && depth < 4) {
    const inner = Array.from({ length: 1 + Math.floor(random() * 3) }, () => term(random, depth + 1));
    return `(${inner.join(pick(random, [' ', ' AND ', ' OR ']))}${random() < 0.95 ? ')' : ''}`;
  }
  const negation = random() < 0.2 ? '!' : '';
  if (chance < 0.3) return `${negation}${text(random)}`;
  const operator = random() < 0.1 ? pick(random, ['>', '<=', '!=', '=', '\uF00DContains\uF00D']) : '';
  return `${negation}${pick(random, KEYS)}:${operator}${value(random)}`;
}

function value(random: Random): string {
  const chance = random();
  if (chance < 0.15) {
    const items = Array.from({ length: 1 + Math.floor(random() * 4) }, () => simple(random));
    return `[${items.join(pick(random, [',', ', ', ' , ']))}]`;
  }
  return simple(random);
}

function simple(random: Random): string {
  const chance = random();
  if (chance < 0.55) return pick(random, PLAIN);
  return chance < 0.8 ? `"${text(random).replaceAll('"', '\\"')}"` : text(random);
}

const text = (random: Random): string =>
  MARK + Array.from({ length: Math.floor(random() * 4) }, () => pick(random, PIECES)).join(MARK);
