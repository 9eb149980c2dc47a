import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The secret kept in a file (mode 0600), made of random bytes when the file is not there. 43 URL-safe characters. */
export function readOrMakeSecret(path: string): string {
  if (existsSync(path)) {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret.length >= 32) return secret;
    throw new Error(`The secret in ${path} is too short (32 characters or more): restore it from a backup`);
  }
  const secret = randomBytes(32).toString('base64url');
  writePrivateFile(path, `${secret}\n`);
  return secret;
}

/** Replaces the file in one step; only the owner may read it. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    // On a full disk half a file would take what room is left.
    rmSync(temporary, { force: true });
    throw error;
  }
}
