import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

export type Words = {
  /** Relative to the root, with slashes. */
  file: string;
  line: number;
  /** On one line; `{…}` stands for what is known only at run time. */
  text: string;
};

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Attributes that never hold prose. */
const SILENT_ATTRIBUTES =
  /^(className|href|id|type|name|key|htmlFor|src|d|viewBox|rel|target|method|action|role|autoComplete|inputMode|data-.*|(stroke|fill|transform).*)$/;
/** Style sheets in disguise, and what only programmers see. */
const SILENT_CALLS = /^(cx|cn|clsx|require|import|RegExp|test|describe)$/;
const SQL =
  /^\s*(select|SELECT|insert|INSERT|update|UPDATE|delete|DELETE|create|CREATE|alter|ALTER|drop|DROP|with|WITH|from|FROM|where|WHERE|and|AND|or|not|set|SET|join|left|order|group|limit|on|grant|values|listen|begin|commit|exists)\b(?=.*([=<>(*]|::|\b(table|index|from|FROM|by|BY|values|into|INTO|null|interval|database|role|schema|cascade)\b)).*[\s(]/s;
const CLASS_NAMES =
  /(^|\s)(flex|grid|text|bg|border|rounded|px|py|mt|mb|ml|mr|size|gap|h|w|p|m)-[\w[\]-]+(\s|$)/;

/** Every string in the source tree that a person may read, in the order of files and lines. */
export function listWords(folder = 'src'): Words[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => {
      const file = `${folder}/${name.replaceAll(path.sep, '/')}`;
      return wordsOf(file, readFileSync(path.join(ROOT, file), 'utf8'));
    });
}

/** The prose of one file: the text of its elements, and its literals that are neither keys, styles nor SQL. */
export function wordsOf(file: string, source: string): Words[] {
  const lines = new LineNumbers(source);
  const found: Words[] = [];
  const add = (start: number, raw: string, isElement: boolean) => {
    const text = raw.replaceAll(/\s+/g, ' ').trim();
    if (isElement ? /\p{L}{2}/u.test(text.replaceAll('{…}', '')) : isProse(text)) {
      found.push({ file, line: lines.at(start), text });
    }
  };
  visit(parseSync(file, source).program as unknown as Node, null, add);
  return found.sort((one, other) => one.line - other.line);
}

type Node = { type: string; start: number } & Record<string, unknown>;

function visit(
  node: Node,
  parent: Node | null,
  add: (start: number, text: string, isElement: boolean) => void,
) {
  if (isSilent(node, parent)) return;
  if (node.type === 'Literal' && typeof node.value === 'string') add(node.start, node.value, false);
  if (node.type === 'TemplateLiteral') add(node.start, templateText(node), false);
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const children = nodesOf(node.children);
    const first = children.find((child) => child.type === 'JSXText' && /\S/.test(String(child.value)));
    if (first) add(first.start + leadingSpace(String(first.value)), childrenText(children), true);
  }
  for (const value of Object.values(node)) for (const child of nodesOf(value)) visit(child, node, add);
}

function isSilent(node: Node, parent: Node | null): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
      return true;
    case 'JSXAttribute':
      return SILENT_ATTRIBUTES.test(String((node.name as Node).name));
    case 'CallExpression':
    case 'NewExpression':
      return SILENT_CALLS.test(String((node.callee as Node).name));
    case 'BinaryExpression':
      return ['===', '!==', 'in'].includes(String(node.operator));
    case 'Literal':
      return (
        node.directive !== undefined ||
        parent?.type === 'ExpressionStatement' ||
        parent?.type === 'SwitchCase' ||
        (parent?.type === 'Property' && parent.key === node) ||
        parent?.type === 'ExportNamedDeclaration'
      );
    default:
      return node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type);
  }
}

function templateText(node: Node): string {
  return nodesOf(node.quasis)
    .map((part) => (part.value as { cooked: string | null }).cooked ?? '')
    .join('{…}');
}

function childrenText(children: readonly Node[]): string {
  return children
    .map((child) => {
      if (child.type === 'JSXText') return String(child.value);
      const expression = child.expression as Node | undefined;
      return typeof expression?.value === 'string' ? expression.value : '{…}';
    })
    .join('');
}

function isProse(text: string): boolean {
  if (SQL.test(text) || CLASS_NAMES.test(text)) return false;
  if (/^[A-Z][a-z]+$/.test(text)) return true;
  return (
    /[A-Za-z}]['’]?[,.:;)]? ['"“(]?[A-Za-z{]/.test(text) && !/^[\w-]+(\s[\w-]*[-_/:[][\w-]*)+$/.test(text)
  );
}

function nodesOf(value: unknown): Node[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter(
    (entry): entry is Node => typeof entry === 'object' && entry !== null && 'type' in entry,
  );
}

function leadingSpace(text: string): number {
  return text.length - text.trimStart().length;
}

class LineNumbers {
  readonly #starts: number[];

  constructor(source: string) {
    this.#starts = [0];
    for (const match of source.matchAll(/\n/g)) this.#starts.push(match.index + 1);
  }

  at(offset: number): number {
    return this.#starts.findLastIndex((start) => start <= offset) + 1;
  }
}

if (import.meta.main) {
  for (const { file, line, text } of listWords(process.argv[2])) console.log(`${file}:${line}: ${text}`);
}
