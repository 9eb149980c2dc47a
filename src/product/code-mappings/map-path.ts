import type { Frame } from '#protocol/event.ts';
import type { CodeMapping } from './code-mapping-store.ts';

type Roots = Pick<CodeMapping, 'stackRoot' | 'sourceRoot'>;

/** Longer paths are of no file. */
const PATH_CHARACTERS_MAX = 1_000;
/** Where a file's name stands without its folders, the class that the frame is of has them. */
const CLASS_FILE = /\.(?:java|kt|scala|groovy)$/;

/** How a frame names its file, best first; empty for what is no file of its own, such as a built-in or a library. */
export function pathsOf(frame: Pick<Frame, 'filename' | 'abs_path' | 'module'>): readonly string[] {
  const named = [classPathOf(frame), frame.filename, frame.abs_path].filter(
    (path): path is string => Boolean(path) && isFile(path ?? ''),
  );
  return [...new Set(named)];
}

/** `com/shop/Cart.java` of the class `com.shop.Cart`; null for other frames. */
function classPathOf({ module, filename }: Pick<Frame, 'filename' | 'module'>): string | null {
  if (!module || !filename || filename.includes('/') || !CLASS_FILE.test(filename)) return null;
  const folders = module.split('.').slice(0, -1);
  return [...folders, filename].join('/');
}

const isFile = (path: string): boolean =>
  path.length <= PATH_CHARACTERS_MAX && !/^[<[]/.test(path) && !/(?:^|\/)node_modules\//.test(path);

/**
 * Within a repository, as far as can be seen: without the scheme and host of an address, and without steps. A path that
 * leaves its folder begins where it came to.
 */
export function plainPath(path: string): string {
  const text = path.replaceAll('\\', '/');
  const isAddress = /^[a-z][\w+.-]*:\/\//i.test(text);
  const local = isAddress ? text.replace(/^[^/]*\/\/[^/]*/, '').replace(/[?#].*$/, '') : text;
  const parts: string[] = [];
  for (const part of local.replace(/^[a-z]:(?=\/)/i, '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.' && part !== '~') parts.push(part);
  }
  return parts.join('/');
}

/**
 * The path in the repository that the mapping with the longest fitting root leads to; null when none fits, or the path
 * would leave the repository.
 */
export function mapPath<Mapping extends Roots>(
  mappings: readonly Mapping[],
  paths: readonly string[],
): { mapping: Mapping; path: string } | null {
  const byLength = [...mappings].sort((a, b) => b.stackRoot.length - a.stackRoot.length);
  for (const mapping of byLength) {
    for (const path of paths) {
      const rest =
        restAfter(mapping.stackRoot, path.replaceAll('\\', '/')) ??
        restAfter(mapping.stackRoot, plainPath(path));
      const mapped = rest === null ? null : joinPath(mapping.sourceRoot, rest);
      if (mapped) return { mapping, path: mapped };
    }
  }
  return null;
}

/** null when the path does not begin with the root; a root ends where a folder does. */
function restAfter(root: string, path: string): string | null {
  if (root === '') return plainPath(path);
  if (!path.startsWith(root)) return null;
  const rest = path.slice(root.length);
  return root.endsWith('/') || rest.startsWith('/') ? rest : null;
}

/** null when a step leads out. */
function joinPath(root: string, rest: string): string | null {
  const parts = `${root}/${rest}`.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? null : parts.join('/');
}

/** How many parts two paths have in common from their ends. */
export function commonEnd(a: string, b: string): number {
  const [first, second] = [a.split('/').reverse(), b.split('/').reverse()];
  const different = first.findIndex((part, index) => part !== second[index]);
  return different === -1 ? first.length : different;
}
