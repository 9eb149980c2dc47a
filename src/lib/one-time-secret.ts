import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** For an address that is opened once: 43 characters of base64url. */
export const createOneTimeSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** What is kept of a secret or token: 32 bytes. Their own randomness makes a salt needless. */
export const hashSecret = (secret: string): Uint8Array => createHash('sha256').update(secret).digest();
