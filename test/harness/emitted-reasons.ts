import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { OUTCOMES } from '#protocol/outcome.ts';
import { ROOT } from './start-errata.ts';

/** A node of the syntax tree, as far as it is looked at. */
type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** What the sources say about the reasons of outcomes. */
export type EmittedReasons = {
  /** `outcome/reason`, sorted. */
  named: readonly string[];
  /** `file: expression` of reasons that are only known when the program runs, sorted. */
  computed: readonly string[];
};

/** Places where outcomes arise; `outcome` is what the call means when it does not say. */
const CALLS: Readonly<Record<string, { reason: number; outcome: number | null }>> = {
  discarded: { reason: 1, outcome: 2 },
  refused: { reason: 2, outcome: 1 },
  refuse: { reason: 0, outcome: null },
  count: { reason: 1, outcome: 0 },
  add: { reason: 3, outcome: 2 },
};
const RECEIVERS: Readonly<Record<string, RegExp>> = { count: /tally$/i, add: /outcomes$/ };
const FOLDERS = [
  'src/ingest',
  'src/pipeline',
  'src/storage/postgres',
  'src/storage/sql',
  'src/product/quotas/store',
];

/**
 * Reads every reason that ingest and the pipeline can give to an outcome from their sources: the literals of calls,
 * refusals and objects that make one.
 */
export function readEmittedReasons(): EmittedReasons {
  const named = new Set<string>();
  const computed = new Set<string>();
  for (const file of FOLDERS.flatMap(listSources)) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const note = (outcome: string, reason: Node | undefined): void => {
      if (!reason) return;
      for (const part of branches(reason)) {
        if (part.type !== 'Literal') computed.add(`${file}: ${text.slice(part.start, part.end)}`);
        else if (part.value !== '') named.add(`${outcome}/${String(part.value)}`);
      }
    };
    visit(parseSync(file, text).program as unknown as Node, (node) => {
      if (node.type === 'CallExpression') noteCall(node, note);
      else if (node.type === 'NewExpression') noteRefusal(node, note);
      else if (node.type === 'ObjectExpression') noteObject(node, note);
    });
  }
  return { named: [...named].sort(), computed: [...computed].sort() };
}

type Note = (outcome: string, reason: Node | undefined) => void;

function noteCall(node: Node, note: Note): void {
  const callee = node.callee as Node;
  const isMember = callee.type === 'MemberExpression';
  const name = nameOf(isMember ? (callee.property as Node) : callee);
  const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  const receiver = RECEIVERS[name];
  if (!call || isMember !== Boolean(receiver)) return;
  if (receiver && !receiver.test(receiverName(callee.object as Node))) return;
  const args = node.arguments as Node[];
  // The edge's own `refuse` writes an answer; its first argument is the request.
  if (name === 'refuse' && args.length > 2) return;
  const outcomes = call.outcome === null ? [] : outcomesOf(args[call.outcome]);
  for (const outcome of outcomes.length > 0 ? outcomes : ['invalid']) note(outcome, args[call.reason]);
}

function noteRefusal(node: Node, note: Note): void {
  if (nameOf(node.callee as Node) !== 'Refusal') return;
  note('invalid', (node.arguments as Node[])[2] ?? literal('invalid'));
}

/** An object that says an outcome, or a kind that is one, beside the reason. */
function noteObject(node: Node, note: Note): void {
  const values = new Map(
    (node.properties as Node[])
      .filter((property) => property.type === 'Property')
      .map((property) => [nameOf(property.key as Node), property.value as Node]),
  );
  const said = values.get('outcome') ?? values.get('kind');
  for (const outcome of outcomesOf(said)) note(outcome, values.get('reason'));
}

/** The outcomes that an expression names; `accepted` has no reason. */
const outcomesOf = (node: Node | undefined): string[] =>
  (node ? branches(node) : [])
    .map((part) => String(part.value ?? ''))
    .filter((value) => value !== 'accepted' && OUTCOMES.some((outcome) => outcome === value));

/** What an expression can become: both sides of a choice, without the condition. */
function branches(node: Node): Node[] {
  switch (node.type) {
    case 'ConditionalExpression':
      return [...branches(node.consequent as Node), ...branches(node.alternate as Node)];
    case 'LogicalExpression':
      return [...branches(node.left as Node), ...branches(node.right as Node)];
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return branches(node.expression as Node);
    default:
      return [node];
  }
}

const literal = (value: string): Node => ({ type: 'Literal', start: 0, end: 0, value });
const nameOf = (node: Node): string => String(node.name ?? node.value ?? '');
const receiverName = (node: Node): string =>
  nameOf(node.type === 'MemberExpression' ? (node.property as Node) : node);

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node, see);
    }
  }
}

const listSources = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('fixtures'))
    .map((file) => path.posix.join(folder, file))
    .sort();
