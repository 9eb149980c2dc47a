import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** A password costs a tenth of a second, on purpose; hundreds of sign-ins need not prove that again. */
const CHEAP: ScryptOptions = { N: 2 ** 10, r: 8 };

const { scrypt } = crypto;

// The hashes that tests store are read by the same tests only: nothing else depends on their cost.
crypto.scrypt = ((password, salt, length, options, callback) =>
  scrypt(password, salt, length, { ...options, ...CHEAP }, callback)) as typeof scrypt;
syncBuiltinESMExports();
