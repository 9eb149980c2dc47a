import { DIFFERENCES } from './differences.ts';
import { NOT_COVERED, REFERENCE } from './reference.ts';

/** The part of docs/api.md that tells how this API differs from the public reference. */
export function printCoverage(): string {
  const operations = Object.keys(REFERENCE);
  const covered = operations.filter((operation) => !(operation in NOT_COVERED));
  return [
    `Of the reference's ${operations.length} operations for what Errata has, ${covered.length} are here. Each is tested with`,
    'a request: its status, the fields that the reference says an answer has, and their types.',
    '',
    table(
      ['Path', 'Here', 'Not here'],
      [...group(operations)].map(([path, methods]) => [
        `\`${path}\``,
        methods.filter((method) => !(`${method} ${path}` in NOT_COVERED)).join(', '),
        notHere(path, methods),
      ]),
    ),
    '',
    'Answers differ from the reference in these fields:',
    '',
    table(
      ['Fields', 'Here'],
      DIFFERENCES.map(({ fields, reason }) => [fields, reason]),
    ),
  ].join('\n');
}

function group(operations: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return new Map([...methods].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function notHere(path: string, methods: readonly string[]): string {
  const missing = methods.filter((method) => `${method} ${path}` in NOT_COVERED);
  const reason = NOT_COVERED[`${missing[0]} ${path}`];
  return missing.length === 0 ? '' : `${missing.join(', ')}: ${reason}`;
}

/** With columns as wide as their widest cell, as the other tables of the documents are. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
