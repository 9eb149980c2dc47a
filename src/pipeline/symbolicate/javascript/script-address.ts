/** Schemes whose frames may come from a bundle. */
const SCHEME =
  /^(?:https?|app|file|webpack|webpack-internal|capacitor|ionic|tauri|chrome-extension|moz-extension|safari-web-extension):/i;
const SCRIPT_FILE = /\.(?:[cm]?jsx?|jsbundle|bundle|hbc)(?:$|[?#])/i;

/** Parts of the engine, and code that has no file. */
const NO_SCRIPT = /^(?:(?:node|data|blob|native|webpack-internal):|internal\/|<)/;

/** Whether a frame's address can be one of a script that somebody built. */
export function isScriptAddress(address: string): boolean {
  if (NO_SCRIPT.test(address)) return false;
  return SCHEME.test(address) || SCRIPT_FILE.test(address);
}

/**
 * The addresses by which an uploaded file may stand for a script, the most exact first: as it is, without its query, and
 * both with `~` in place of the host.
 */
export function candidateAddresses(address: string): readonly string[] {
  const bare = before(address, '#');
  const path = pathOf(bare);
  return [...new Set([bare, before(bare, '?'), `~${path}`, `~${before(path, '?')}`])];
}

/** `https://example.com/a/b.js` → `/a/b.js`; `~/a.js` → `/a.js`; a path stays. */
export function pathOf(address: string): string {
  if (address.startsWith('~')) return address.slice(1);
  const authority = address.indexOf('://');
  if (authority === -1) return address;
  const slash = address.indexOf('/', authority + 3);
  return slash === -1 ? '/' : address.slice(slash);
}

const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|webpack:)/i;

/** The address that `name` stands for beside `base`. `~/x` is a path on the host of the base. */
export function resolveAddress(base: string, name: string): string {
  if (ABSOLUTE.test(name)) return name;
  const authority = base.indexOf('://');
  const hostEnd = authority === -1 ? 0 : indexOrEnd(base, '/', authority + 3);
  const host = base.slice(0, hostEnd);
  const rooted = name.startsWith('~') ? name.slice(1) : name;
  if (rooted.startsWith('//') && authority !== -1) return base.slice(0, authority + 1) + rooted;
  if (rooted.startsWith('/')) return host + rooted;
  const folders = before(before(base.slice(hostEnd), '#'), '?')
    .split('/')
    .slice(0, -1);
  for (const part of rooted.split('/')) {
    if (part === '..') {
      if (folders.length > 1 || (folders.length === 1 && folders[0] !== '')) folders.pop();
    } else if (part !== '.') folders.push(part);
  }
  const path = folders.join('/');
  return host === '' ? path : host + (path.startsWith('/') ? path : `/${path}`);
}

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}
