import { hkdfSync, randomBytes, scryptSync } from 'node:crypto';

const KEY_BYTES = 32;
export const SALT_BYTES = 16;
/** 32 MiB of memory and a tenth of a second for each try: a phrase of people may be guessed otherwise. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 128 * 1024 * 1024 } as const;
/** Derived keys that are remembered, one for each salt that was met. */
const KEYS_MAX = 100;

/** The operator's key, from which every file gets one of its own. */
export type BackupKeys = {
  /** For what is written: the slow derivation is done once for all files of a run. */
  readonly salt: Buffer;
  /** 32 bytes for one file, by the two salts in its head. */
  keyOf(salt: Buffer, fileSalt: Buffer): Buffer;
};

/** `phrase` as the operator set it: any text that is hard to guess. */
export function createBackupKeys(phrase: string, salt: Buffer = randomBytes(SALT_BYTES)): BackupKeys {
  const derived = new Map<string, Buffer>();
  const derive = (of: Buffer): Buffer => {
    const name = of.toString('hex');
    const known = derived.get(name);
    if (known) return known;
    const key = scryptSync(phrase, of, KEY_BYTES, SCRYPT);
    if (derived.size >= KEYS_MAX) derived.clear();
    derived.set(name, key);
    return key;
  };
  return {
    salt,
    keyOf: (of, fileSalt) =>
      Buffer.from(hkdfSync('sha256', derive(of), fileSalt, 'errata backup file v1', KEY_BYTES)),
  };
}
