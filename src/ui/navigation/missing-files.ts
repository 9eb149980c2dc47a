import { ScriptLoadError, StylesheetLoadError } from './navigation-errors.ts';

const FILES_PATH = '/_next/static/';
const STORAGE_KEY = 'errata-missing-files';
/** Files that a reload was tried for; beyond that many, nothing is reloaded in this tab any more. */
const FILES_MAX = 20;
/** Whatever is missing: never two reloads within this time. */
const RELOAD_PAUSE_MS = 10_000;

type Tried = { files: string[]; atMs: number };

type MissingFileOptions = {
  origin: string;
  /** Throws where the browser keeps nothing. */
  storage(): Pick<Storage, 'getItem' | 'setItem'>;
  now(): number;
  reload(): void;
  report(error: ScriptLoadError | StylesheetLoadError): void;
};

let isReloading = false;

/** Whether the document is being loaded anew for a missing file: nothing else needs to be said then. */
export const isReloadingForFiles = (): boolean => isReloading;

/**
 * Answers a listener for `error` events of the window, in the capture phase. An app that was updated no longer has the
 * files that an open page asks for: a reload brings the new ones. It is tried once for each file, so that a file that
 * stays missing becomes an error instead of a loop.
 */
export function createMissingFileListener(options: MissingFileOptions): (event: Event) => void {
  return ({ target }) => {
    const error = missingFile(target, options.origin);
    if (!error || isReloading) return;
    if (mayReload(error.file, options)) {
      isReloading = true;
      options.reload();
    } else {
      options.report(error);
    }
  };
}

type FileElement = EventTarget & { tagName?: string; src?: string; rel?: string; href?: string };

/** null for an error that is not about a file of the app. */
function missingFile(
  target: FileElement | null,
  origin: string,
): ScriptLoadError | StylesheetLoadError | null {
  if (target?.tagName === 'SCRIPT') {
    const file = ownFile(target.src, origin);
    return file === null ? null : new ScriptLoadError(file);
  }
  if (target?.tagName === 'LINK' && target.rel === 'stylesheet') {
    const file = ownFile(target.href, origin);
    return file === null ? null : new StylesheetLoadError(file);
  }
  return null;
}

/** Path of a file of the app; null for any other address. */
function ownFile(address: string | undefined, origin: string): string | null {
  if (!address) return null;
  const url = new URL(address, origin);
  return url.origin === origin && url.pathname.startsWith(FILES_PATH) ? url.pathname : null;
}

function mayReload(file: string, { storage, now }: MissingFileOptions): boolean {
  try {
    const kept = storage();
    const tried = readTried(kept.getItem(STORAGE_KEY));
    if (tried.files.includes(file) || tried.files.length >= FILES_MAX) return false;
    if (now() - tried.atMs < RELOAD_PAUSE_MS) return false;
    kept.setItem(STORAGE_KEY, JSON.stringify({ files: [...tried.files, file], atMs: now() }));
    return true;
  } catch {
    // Without a memory that outlives the reload there could be a loop.
    return false;
  }
}

function readTried(text: string | null): Tried {
  return text === null ? { files: [], atMs: 0 } : (JSON.parse(text) as Tried);
}
