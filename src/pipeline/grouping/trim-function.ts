import { BoundedCache } from '../../lib/bounded-cache.ts';
import { platformFamily } from './platform-family.ts';

/** Function names cached for each platform. */
const NAMES_MAX = 2_000;

const native = new Map<string, BoundedCache<string>>();

/** A function's name without signature and build marks, where the platform's SDKs send it with them. */
export function trimFunction(name: string, platform: string): string {
  // Unity sends the whole signature, with a space before the arguments.
  if (platform === 'csharp') return name.split(' (', 1)[0] ?? name;
  if (platformFamily(platform) !== 'native') return name;
  const known = native.get(platform) ?? new BoundedCache(NAMES_MAX);
  native.set(platform, known);
  return known.getOrCompute(name, (written) => trimNativeFunction(written, platform));
}

/** Nested generics that are resolved in the qualifier of a Rust path. */
const GENERICS_DEPTH_MAX = 16;

/** Operators hold brackets that open nothing; while a name is taken apart, characters that no name has stand for them. */
const STAND_INS: readonly (readonly [written: string, standIn: string])[] = [
  ['operator<<', 'operator\u27e8\u27e8'],
  ['operator<', 'operator\u27e8'],
  ['operator()', 'operator\u25ef'],
  ['operator->', 'operator\u27ff'],
  [' -> ', ' \u27ff '],
  ["`anonymous namespace'", '\u3014anonymousnamespace\u3015'],
];
const ARROW = '\u27ff';

/** How gcc, MSVC and clang name lambdas. */
const LAMBDA = /\{lambda\(.*?\)#\d+\}|\blambda_[a-f0-9]{32}\b|\$_\d+\b/g;
const MSVC_ANONYMOUS_NAMESPACE = /\?A0x[a-f0-9]{8}::/g;
const RUST_HASH = /::h[a-z0-9]{16}$/;
const GLIBC_VERSION = /@@?GLIBC_[0-9.]+$/;
const WINDOWS_DECORATION = /^@?(.*?)@[0-9]+$/;

/**
 * The bare name of a function as debug files and symbol tables of native code write it: without result, arguments and
 * attributes, with `<T>` for generics, `lambda` for lambdas and without what differs from build to build.
 * `void std::vector<int>::push(int) const` is `std::vector<T>::push`.
 */
function trimNativeFunction(written: string, platform: string): string {
  if (written === '<redacted>' || written === '<unknown>') return written;
  const trimmed = written.trim();
  // Methods of Objective-C: -[Shop pay:]
  if (/^[+-]?\[/.test(trimmed)) return trimmed;
  const declaration = withoutArguments(withStandIns(withoutTrailers(withoutClones(trimmed))));
  const flat = replaceEnclosed(declaration, '<', '>', (inner, start) => resolveGenerics(inner, start, 0));
  const name = nameIn(flat, platform);
  return withoutBuildMarks(name === null ? written : originalCharacters(name));
}

/** `run() [clone .cold]` is a part of `run()`. */
const withoutClones = (text: string): string =>
  replaceEnclosed(text, '[', ']', (inner) => (inner.startsWith('clone .') ? '' : `[${inner}]`)).trimEnd();

/** C++ writes `const` and `&` of a method after its arguments. */
function withoutTrailers(text: string): string {
  let rest = text;
  for (;;) {
    if (rest.endsWith('&')) rest = rest.slice(0, -1).trimEnd();
    else if (/(?:^|\W)const$/.test(rest.slice(-6))) rest = rest.slice(0, -5).trimEnd();
    else return rest;
  }
}

function withStandIns(text: string): string {
  let result = text;
  for (const [written, standIn] of STAND_INS) result = result.replaceAll(written, standIn);
  if (result.includes('lambda') || result.includes('$_')) result = result.replace(LAMBDA, 'lambda');
  return result.replace(MSVC_ANONYMOUS_NAMESPACE, '\u3014anonymousnamespace\u3015::');
}

const withoutArguments = (text: string): string =>
  replaceEnclosed(text, '(', ')', (inner) => {
    const said = inner.trim();
    return said === 'anonymous namespace' || said === 'operator' ? `(${said})` : '';
  });

function resolveGenerics(inner: string, start: number, depth: number): string {
  if (inner === 'lambda') return '<lambda>';
  if (start > 0 || depth >= GENERICS_DEPTH_MAX) return '<T>';
  // At the very beginning it is Rust's `<Type as Trait>::function`; of a blanket implementation the trait tells more.
  const qualifier = inner.replace(/^[A-Z] as /, '');
  const resolved = replaceEnclosed(qualifier, '<', '>', (nested, at) =>
    resolveGenerics(nested, at, depth + 1),
  );
  return resolved.split(' as ', 1)[0] ?? '';
}

/** The function's name among the words of its declaration; null when there are none. */
function nameIn(declaration: string, platform: string): string | null {
  const words = joinLooseGenerics(splitTokens(declaration));
  const initialized = initializerName(declaration, words);
  if (initialized !== null) return initialized;
  const name = wordOfName(words);
  if (name === undefined || name === '') return null;
  // Swift: attributes without a name, `@objc @callee_guaranteed () -> ()`.
  if (name.startsWith('@') && (platform === 'cocoa' || platform === 'swift')) {
    return declaration.includes('thunk for ') ? 'thunk for closure' : 'closure';
  }
  return words.includes('closure') && name !== 'closure' ? `closure in ${name}` : name;
}

/** MSVC writes a space between the name of an operator and its generics. */
function joinLooseGenerics(words: readonly string[]): readonly string[] {
  if (words.length < 2 || words.at(-1) !== '<T>') return words;
  return [...words.slice(0, -2), `${words.at(-2)} <T>`];
}

/** Swift: `variable initialization expression of static Shop.basket : Basket`. */
function initializerName(declaration: string, words: readonly string[]): string | null {
  if (!declaration.includes('initialization expression of')) return null;
  const of = words.lastIndexOf('of');
  const named = words[of + 1] === 'static' ? words[of + 2] : words[of + 1];
  if (of === -1 || named === undefined) return null;
  return `initializer expression of ${named.replace(/^:/, '')}`;
}

/** The word before the last arrow, which Swift writes before the result, else the last word. */
function wordOfName(words: readonly string[]): string | undefined {
  const arrow = words.lastIndexOf(ARROW);
  if (arrow === -1) return words.at(-1);
  const before = words.at(arrow - 1);
  return before === 'throws' ? words.at(arrow - 2) : before;
}

const originalCharacters = (name: string): string =>
  name
    .replaceAll('\u27e8', '<')
    .replaceAll('\u25ef', '()')
    .replaceAll(ARROW, '->')
    .replaceAll('\u3014anonymousnamespace\u3015', "`anonymous namespace'");

function withoutBuildMarks(name: string): string {
  const stable = name.replace(RUST_HASH, '').replace(GLIBC_VERSION, '');
  return stable.includes('@') ? stable.replace(WINDOWS_DECORATION, '$1') : stable;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' };

/** The words of a declaration: white space inside of brackets does not separate. */
function splitTokens(text: string): readonly string[] {
  const tokens: string[] = [];
  const expected: string[] = [];
  let token = '';
  let bracketed = '';
  for (const character of text) {
    const closing = CLOSING[character];
    if (closing !== undefined) expected.push(closing);
    else if (expected.length > 0 && character === expected.at(-1)) expected.pop();
    else if (expected.length === 0 && /\s/.test(character)) {
      if (token !== '') tokens.push(token);
      token = '';
      continue;
    }
    bracketed += character;
    // What is in brackets belongs to the word once they end; open ones are left out.
    if (expected.length === 0) {
      token += bracketed;
      bracketed = '';
    }
  }
  if (token !== '') tokens.push(token);
  return tokens;
}

/**
 * Replaces every outermost pair of brackets with its content, by what `replace` makes of the content and of where in
 * `text` the pair begins. A pair that does not end takes the rest of the text with it.
 */
function replaceEnclosed(
  text: string,
  open: string,
  close: string,
  replace: (inner: string, start: number) => string,
): string {
  if (!text.includes(open)) return text;
  let result = '';
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === open) {
      if (depth === 0) start = index;
      depth += 1;
    } else if (character === close) {
      depth -= 1;
      if (depth === 0) result += replace(text.slice(start + 1, index), start);
    } else if (depth === 0) {
      result += character;
    }
  }
  return result;
}
