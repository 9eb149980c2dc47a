import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** How to start an engine's programs: root hands them to an unprivileged user, who owns the engine's data only. */
export type EngineUser = {
  /** null when we are not root: run as we are. */
  ids: { uid: number; gid: number } | null;
  /** Program and arguments, wrapped where the user could not otherwise reach the files. */
  command(program: string, args: readonly string[]): { program: string; args: string[] };
};

/**
 * Chooses the user. A data directory or clone below a private folder (mode 0700, as `mktemp -d` makes) is out of
 * that user's reach; on Linux it is then given the one capability to pass through folders, and nothing else.
 */
export function chooseEngineUser(paths: readonly string[]): EngineUser {
  if (process.getuid?.() !== 0)
    return { ids: null, command: (program, args) => ({ program, args: [...args] }) };
  const ids = findUnprivilegedIds();
  if (paths.every((path) => canTraverse(path, ids)))
    return { ids, command: (program, args) => ({ program, args: [...args] }) };
  return {
    ids: null,
    command: (program, args) => ({
      program: 'setpriv',
      args: [
        '--securebits=+no_setuid_fixup',
        `--reuid=${ids.uid}`,
        `--regid=${ids.gid}`,
        '--clear-groups',
        '--inh-caps=-all,+dac_read_search',
        '--ambient-caps=-all,+dac_read_search',
        '--bounding-set=-all,+dac_read_search',
        '--',
        program,
        ...args,
      ],
    }),
  };
}

/** The owner that an engine's files must have; null when that is us. */
export function engineOwner(): { uid: number; gid: number } | null {
  return process.getuid?.() === 0 ? findUnprivilegedIds() : null;
}

// The name must be in the user database: initdb looks it up.
const CANDIDATES = ['errata', 'postgres'];

/**
 * The folder of an engine. Root keeps it, since root writes into it: in a folder of its own the engine's user could put
 * links where root's files go. What the engine writes lies in a folder below, which is given to it.
 */
export function makeEngineFolder(folder: string, owner: { uid: number; gid: number } | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!owner) return;
  chownSync(folder, 0, 0);
  chmodSync(folder, 0o711);
}

/** Lets the engine's user read a file of ours, and not write it. */
export function letEngineRead(file: string, owner: { gid: number }): void {
  chownSync(file, 0, owner.gid);
  chmodSync(file, 0o640);
}

/**
 * Gives the folder and all below it to the engine's user: data that an older version wrote as root. The folder itself
 * comes last, so that a start that was interrupted does it again. Links are not followed.
 */
export function giveFolder(folder: string, owner: { uid: number; gid: number }): void {
  const { uid, gid } = lstatSync(folder);
  if (uid === owner.uid && gid === owner.gid) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveFolder(path, owner);
    else lchownSync(path, owner.uid, owner.gid);
  }
  lchownSync(folder, owner.uid, owner.gid);
}

function findUnprivilegedIds(): { uid: number; gid: number } {
  for (const name of CANDIDATES) {
    const ids = findIds(name);
    if (ids) return ids;
  }
  try {
    execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'errata'], {
      stdio: 'ignore',
    });
  } catch {
    // No useradd, or a read-only system: `nobody` is there nearly everywhere.
  }
  const ids = findIds('errata') ?? findIds('nobody');
  if (ids) return ids;
  throw new Error(
    'The embedded stores do not run as root and no unprivileged user was found: start Errata as a normal user, add a user named errata, or set DATABASE_URL and CLICKHOUSE_URL',
  );
}

function findIds(name: string): { uid: number; gid: number } | null {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
    const ids = { uid: id('-u'), gid: id('-g') };
    return ids.uid > 0 ? ids : null;
  } catch {
    return null;
  }
}

function canTraverse(path: string, ids: { uid: number; gid: number }): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      accessSync(folder, constants.F_OK);
      const { mode, uid, gid } = statSync(folder);
      const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    } catch {
      return false;
    }
    if (folder === dirname(folder)) return true;
  }
}
