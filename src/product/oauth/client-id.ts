import { randomBytes } from 'node:crypto';

const BYTES = 16;
const CLIENT_ID = /^[0-9a-f]{32}$/;

export const createClientId = (): string => randomBytes(BYTES).toString('hex');

/** Whether a program can have been given it; anybody may send anything, also what no database takes as text. */
export const isClientId = (text: string): boolean => CLIENT_ID.test(text);
