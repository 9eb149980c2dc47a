import { type Node, Parser } from 'acorn';

/** An identifier or key as it is written in the script, whose place the source map may name. */
export type WrittenName = {
  text: string;
  /** Offset of its first character. */
  at: number;
  /** A binding is renamed by minifiers; a key is not, unless it is private. */
  kind: 'binding' | 'key' | 'private';
};

/** A piece of a function's name: what is written in the script, or text between. */
export type NamePart = WrittenName | string;

/** The code of a function or a class body. Offsets are in UTF-16 units of the script, the end excluded. */
export type FunctionScope = {
  start: number;
  end: number;
  /** From the outermost object to the function's own name; null when nothing in the code names it. */
  name: readonly NamePart[] | null;
};

/** Functions of one script; beyond it, no frame of the script gets its name. */
export const SCRIPT_FUNCTIONS_MAX = 500_000;
/** Objects and classes around a function that become part of its name. */
const NAME_PARTS_MAX = 8;
/** Characters of a key that becomes part of a name. */
const KEY_CHARS_MAX = 100;

/**
 * The functions of a script, each before those within it. null when the script does not parse, nests too deep, or has
 * more than SCRIPT_FUNCTIONS_MAX functions.
 */
export function findFunctionScopes(script: string): readonly FunctionScope[] | null {
  const collector = new ScopeCollector();
  try {
    ScopeParser.collect(script, collector);
    return collector.finish();
  } catch {
    // Only names depend on it: whatever the parser rejects, and a stack that overflows, end here.
    return null;
  }
}

/** What is known of a function while the code around it is read. */
type OpenScope = { start: number; end: number; parts: NamePart[]; accessor: string };

/**
 * Names functions as the parser finishes the code around them. A node is finished after all that is within it, so what
 * it contains are always the last of the functions that are still open, and no tree has to be kept.
 */
class ScopeCollector {
  readonly #scopes: FunctionScope[] = [];
  /** Functions to whose name something may still be added, in the order they end. */
  readonly #open: OpenScope[] = [];

  finish(): readonly FunctionScope[] {
    this.#closeFrom(0, null);
    return this.#scopes.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  addFunction(start: number, end: number, own: NamePart | null): void {
    this.#closeFrom(start, null);
    if (own === null) this.#open.push({ start, end, parts: [], accessor: '' });
    else this.#add({ start, end, name: [own] });
  }

  /** The body runs when an instance is made: fields are set, and a constructor is a part of it. */
  addClass({ start, end }: { start: number; end: number }, own: NamePart | null): void {
    if (own === null) {
      this.#open.push({ start, end, parts: [], accessor: 'new ' });
      return;
    }
    this.#closeFrom(start, [own]);
    this.#add({ start, end, name: ['new ', own] });
  }

  /** Code that runs once, when a class is made. */
  addUnnamed(start: number, end: number): void {
    this.#add({ start, end, name: null });
  }

  /** Nothing further out names the functions from here on. */
  endNames(start: number): void {
    this.#closeFrom(start, null);
  }

  /** A constructor is told by the class around it. */
  dropLast(start: number): void {
    if ((this.#open.at(-1)?.start ?? -1) >= start) this.#open.pop();
  }

  addKey(start: number, key: NamePart, accessor: string): void {
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const scope = this.#open[at];
      if (!scope || scope.start < start) return;
      if (scope.parts.length >= NAME_PARTS_MAX) continue;
      scope.parts.unshift(key);
      scope.accessor ||= accessor;
    }
  }

  addRoot(start: number, root: readonly NamePart[]): void {
    this.#closeFrom(start, root);
  }

  #closeFrom(start: number, root: readonly NamePart[] | null): void {
    for (let last = this.#open.at(-1); last && last.start >= start; last = this.#open.at(-1)) {
      this.#open.pop();
      const { parts, accessor } = last;
      const path = root ? [...root, ...parts] : parts.length > 0 ? ['<object>', ...parts] : null;
      this.#add({
        start: last.start,
        end: last.end,
        name: path && [accessor, ...path.flatMap((part, index) => (index === 0 ? [part] : ['.', part]))],
      });
    }
  }

  #add(scope: FunctionScope): void {
    if (this.#scopes.length === SCRIPT_FUNCTIONS_MAX) throw new Error('Too many functions');
    this.#scopes.push(scope);
  }
}

type AnyNode = Node & Readonly<Record<string, unknown>>;

/** The parts of acorn's parser that its plugins extend and its types leave out. */
type ExtensibleParser = new (
  options: Parameters<typeof Parser.parse>[1],
  input: string,
) => { parse(): unknown; finishNode(node: AnyNode, type: string): AnyNode };

/** Tells the collector of every node that says something of names, and forgets the bodies of functions. */
class ScopeParser extends (Parser as unknown as ExtensibleParser) {
  #collector: ScopeCollector | null = null;

  static collect(script: string, collector: ScopeCollector): void {
    const parser = new ScopeParser(
      {
        ecmaVersion: 'latest',
        sourceType: 'script',
        allowImportExportEverywhere: true,
        allowAwaitOutsideFunction: true,
        allowReturnOutsideFunction: true,
        allowSuperOutsideMethod: true,
        checkPrivateFields: false,
      },
      script,
    );
    parser.#collector = collector;
    parser.parse();
  }

  override finishNode(node: AnyNode, type: string): AnyNode {
    const finished = super.finishNode(node, type);
    if (this.#collector) collect(finished, this.#collector);
    return finished;
  }

  /** Engines have taken the script already; looking for names that are declared twice takes time by their square. */
  declareName(): void {}

  /** As above. */
  validateRegExpPattern(): void {}
}

function collect(node: AnyNode, collector: ScopeCollector): void {
  const { start, end } = node;
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      collector.addFunction(start, end, bindingOf(node.id));
      forget(node);
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      collector.addClass(node.body as Node, bindingOf(node.id));
      forget(node);
      return;
    case 'MethodDefinition':
      if (node.kind === 'constructor') collector.dropLast(start);
      else collector.addKey(start, keyOf(node), accessorOf(node));
      return;
    case 'PropertyDefinition':
      collector.addKey(start, keyOf(node), '');
      if (node.static === true && node.value) collector.addUnnamed(start, end);
      return;
    case 'StaticBlock':
      collector.endNames(start);
      collector.addUnnamed(start, end);
      return;
    case 'Property':
      collector.addKey(start, keyOf(node), accessorOf(node));
      return;
    case 'VariableDeclarator':
      addRootOf(start, node.id, collector);
      return;
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      addRootOf(start, node.left, collector);
      return;
  }
}

/** Large scripts fit into memory because of this: what is within a function is known by now. */
function forget(node: AnyNode): void {
  (node as { body?: unknown }).body = null;
}

function addRootOf(start: number, target: unknown, collector: ScopeCollector): void {
  const root = targetOf(target as AnyNode);
  if (root) collector.addRoot(start, root);
}

/** `a`, `this.a` and `a.b.c`; null for whatever is not a plain path. */
function targetOf(target: AnyNode): NamePart[] | null {
  const parts: NamePart[] = [];
  let node = target;
  while (node.type === 'MemberExpression') {
    if (node.computed === true || parts.length === NAME_PARTS_MAX) return null;
    parts.unshift(keyOf({ ...node, key: node.property }));
    node = node.object as AnyNode;
  }
  if (node.type === 'ThisExpression') return parts.length > 0 ? ['this', ...parts] : null;
  const binding = node.type === 'Identifier' ? bindingOf(node) : null;
  return binding && [binding, ...parts];
}

function bindingOf(node: unknown): WrittenName | null {
  if (!node) return null;
  const { name, start } = node as { name: string; start: number };
  return { text: name, at: start, kind: 'binding' };
}

function keyOf(node: Readonly<Record<string, unknown>>): NamePart {
  const key = node.key as AnyNode;
  if (node.computed === true) return '<computed>';
  if (key.type === 'Literal') return String(key.value).slice(0, KEY_CHARS_MAX);
  const kind = key.type === 'PrivateIdentifier' ? 'private' : 'key';
  return { text: String(key.name), at: key.start, kind };
}

const accessorOf = ({ kind }: AnyNode): string => (kind === 'get' || kind === 'set' ? `${kind} ` : '');
