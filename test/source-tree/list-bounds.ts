// Every named bound of the source: constants called `…_MAX`, and the numbers of objects called `…LIMITS` or `…BOUNDS`.
import { isTest, listSources, parseSource, readImports, readSource } from './read-source-tree.ts';

export type Bound = {
  /** Relative to src. */
  file: string;
  /** `KEYS_MAX`, or `REQUEST_BOUNDS.eventBytesMax`. */
  name: string;
  /** With its unit, for people. */
  value: string;
  /** The doc comment on one line; empty when there is none. */
  meaning: string;
};

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Source = { text: string; values: Map<string, Node>; comments: readonly Comment[] };
type Comment = { type: string; value: string; start: number; end: number };

const NAMED_MAX = /(^|_)MAX(_|$)/;
const NAMED_LIMITS = /(^|_)(LIMITS|BOUNDS)$/;

/** In the order of files and of their lines. */
export function listBounds(): Bound[] {
  const files = listSources().filter((file) => !isTest(file) && !file.includes('/fixtures/'));
  return files.filter((file) => /MAX|LIMITS|BOUNDS/.test(readSource(file))).flatMap(boundsOf);
}

function boundsOf(file: string): Bound[] {
  const source = read(file);
  return [...source.values].flatMap(([name, init]) => {
    const node = unwrap(init);
    if (node.type === 'ObjectExpression' && NAMED_LIMITS.test(name)) {
      return propertiesOf(node).flatMap(([key, value, at]) => bound(file, `${name}.${key}`, value, at));
    }
    return NAMED_MAX.test(name) ? bound(file, name, init, source.text.lastIndexOf('\n', init.start) + 1) : [];
  });
}

/** Nothing for what is no number: a bound that is a function, or that differs from case to case. */
function bound(file: string, name: string, init: Node, at: number): Bound[] {
  const value = evaluate(file, init);
  return value === null
    ? []
    : [{ file, name, value: withUnit(name, value), meaning: commentAt(read(file), at) }];
}

const sources = new Map<string, Source>();

function read(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const { program, comments } = parseSource(file);
  const values = new Map<string, Node>();
  for (const statement of program.body as unknown as Node[]) {
    const declaration = (
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    ) as Node | null;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations as { id: Node; init: Node | null }[]) {
      if (id.type === 'Identifier' && init) values.set(String(id.name), init);
    }
  }
  const source = { text: readSource(file), values, comments };
  sources.set(file, source);
  return source;
}

/** What `as const` and brackets hold. */
function unwrap(node: Node): Node {
  const holds = ['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression'].includes(node.type);
  return holds ? unwrap(node.expression as Node) : node;
}

function propertiesOf(node: Node): [name: string, value: Node, at: number][] {
  return (node.properties as Node[])
    .filter(({ type }) => type === 'Property')
    .map(({ key, value, start }) => [
      String((key as Node).name ?? (key as Node).value),
      value as Node,
      start,
    ]);
}

/** A number made of numbers, of other constants, and of what they are imported as; null for everything else. */
function evaluate(file: string, wrapped: Node): number | null {
  const node = unwrap(wrapped);
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number' ? node.value : null;
    case 'Identifier': {
      const name = String(node.name);
      const own = read(file).values.get(name);
      if (own) return evaluate(file, own);
      const from = readImports(file).find((entry) => entry.to !== null && entry.names.includes(name))?.to;
      const init = from ? read(from).values.get(name) : undefined;
      return from && init ? evaluate(from, init) : null;
    }
    case 'BinaryExpression': {
      const [left, right] = [evaluate(file, node.left as Node), evaluate(file, node.right as Node)];
      if (left === null || right === null) return null;
      return OPERATORS[String(node.operator)]?.(left, right) ?? null;
    }
    default:
      return null;
  }
}

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '**': (left, right) => left ** right,
};

/** The comment right before the declaration. */
function commentAt({ text, comments }: Source, at: number): string {
  const comment = comments.find(({ end }) => end <= at && text.slice(end, at).trim() === '');
  if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return '';
  return comment.value
    .replace(/^\s*\*+ ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Units are part of the names of constants: `ANSWER_MS_MAX`, `bodyIdleMs`. */
function withUnit(name: string, value: number): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[._]/);
  const unit = words.findLast((word) => word in UNITS);
  return unit ? UNITS[unit]!(value) : number(value);
}

const UNITS: Readonly<Record<string, (value: number) => string>> = {
  BYTES: (value) => scaled(value, 1024, ['bytes', 'KiB', 'MiB', 'GiB']),
  MS: (value) => time(value),
  US: (value) => time(value / 1_000),
  SECONDS: (value) => time(value * 1_000),
  MINUTES: (value) => time(value * 60_000),
  HOURS: (value) => time(value * 3_600_000),
  DAYS: (value) => time(value * 86_400_000),
  CHARS: (value) => `${number(value)} characters`,
  CHARACTERS: (value) => `${number(value)} characters`,
};

function scaled(value: number, step: number, units: readonly string[]): string {
  const [unit = '', ...larger] = units;
  if (larger.length > 0 && value >= step && Number.isInteger(value / step))
    return scaled(value / step, step, larger);
  return `${number(value)} ${unit}`;
}

function time(ms: number): string {
  const [unit, size] = TIMES.find(([, size]) => ms >= size && Number.isInteger(ms / size)) ?? ['ms', 1];
  return `${number(ms / size)} ${unit}`;
}

const TIMES = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });
