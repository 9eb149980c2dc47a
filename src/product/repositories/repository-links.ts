import type { Repository, RepositoryProvider } from './repository.ts';

type Links = Pick<Repository, 'name' | 'provider' | 'url' | 'linkTemplate'>;

/** What is linked to: a commit when it is known, else a branch. */
export type LinkedRef = { kind: 'commit' | 'branch'; name: string };

/** Where repositories of a provider are when none has a URL. */
const PUBLIC_ADDRESSES: Partial<Record<RepositoryProvider, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
};

/** Parts of a template; each is replaced once it is made safe for an address. */
export const PLACEHOLDERS = ['{commit}', '{path}', '{line}'] as const;

/**
 * The page of a file at a line; `line` null for the whole file. null for a repository whose URL is unknown, and for
 * what would lead out of it.
 */
export function fileUrl(repository: Links, ref: LinkedRef, path: string, line: number | null): string | null {
  if (leadsOut(ref.name) || leadsOut(path)) return null;
  if (repository.provider === 'other') return fromTemplate(repository.linkTemplate, ref, path, line);
  const base = pageOf(repository);
  if (base === null) return null;
  const [at, file] = [encodePath(ref.name), encodePath(path)];
  switch (repository.provider) {
    case 'github':
      return `${base}/blob/${at}/${file}${line === null ? '' : `#L${line}`}`;
    case 'gitlab':
      return `${base}/-/blob/${at}/${file}${line === null ? '' : `#L${line}`}`;
    case 'bitbucket':
      return `${base}/src/${at}/${file}${line === null ? '' : `#lines-${line}`}`;
    case 'gitea':
      return `${base}/src/${ref.kind}/${at}/${file}${line === null ? '' : `#L${line}`}`;
    case 'unknown':
      return null;
  }
}

/** The page of a commit; null when unknown. */
export function commitUrl(repository: Links, key: string): string | null {
  const base = pageOf(repository);
  if (base === null) return null;
  const commit = encodeURIComponent(key);
  switch (repository.provider) {
    case 'github':
    case 'gitea':
      return `${base}/commit/${commit}`;
    case 'gitlab':
      return `${base}/-/commit/${commit}`;
    case 'bitbucket':
      return `${base}/commits/${commit}`;
    case 'other':
    case 'unknown':
      return null;
  }
}

/** Without a trailing slash; null when unknown and the provider has no usual place. */
function pageOf({ name, provider, url }: Links): string | null {
  if (url !== null) return url;
  const host = PUBLIC_ADDRESSES[provider];
  return host === undefined ? null : `${host}/${encodePath(name)}`;
}

/** null when the result would lead elsewhere than the template says. */
function fromTemplate(
  template: string | null,
  ref: LinkedRef,
  path: string,
  line: number | null,
): string | null {
  const origin = template === null ? null : originOf(template);
  if (template === null || origin === null) return null;
  const filled = template
    .replaceAll('{commit}', () => encodePath(ref.name))
    .replaceAll('{path}', () => encodePath(path))
    .replaceAll('{line}', String(line ?? 1));
  const url = URL.parse(filled);
  return url?.origin === origin ? url.href : null;
}

/** Of an address of the web whose host holds no placeholder; null for others. */
export function originOf(template: string): string | null {
  const url = URL.parse(template);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '' || /[{}]|%7B|%7D/i.test(url.host)) return null;
  return url.origin;
}

/** Browsers resolve such a part, also in a template. */
const leadsOut = (path: string): boolean => path.split('/').includes('..');

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
