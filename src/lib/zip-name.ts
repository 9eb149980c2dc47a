import { invalid } from './errors.ts';

/** No path of a file system is longer. */
const NAME_BYTES_MAX = 4096;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The name of a file within an archive. Nothing is unpacked under it, and yet a name that would lead out of a folder is
 * refused: nobody who means well writes it, and it may reach a tool that trusts it. Throws ErrataError 'invalid'.
 */
export function checkZipName(raw: Uint8Array): string {
  if (raw.length === 0 || raw.length > NAME_BYTES_MAX) {
    throw invalid(`A file of the archive has a name of ${raw.length} bytes: 1 to ${NAME_BYTES_MAX}`);
  }
  const name = decode(raw);
  const problem = findProblem(name);
  if (problem) throw invalid(`The file "${name.slice(0, 200)}" of the archive ${problem}`);
  return name;
}

function findProblem(name: string): string | null {
  if (name.includes('\\')) return 'has a backslash in its name';
  if (/\p{Cc}/u.test(name)) return 'has control characters in its name';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'has an absolute path as its name';
  if (name.split('/').includes('..')) return 'has a name that leads out of its folder';
  return null;
}

function decode(raw: Uint8Array): string {
  try {
    return UTF8.decode(raw);
  } catch {
    throw invalid('A file of the archive has a name that is not UTF-8');
  }
}
