import { parameterize } from '#pipeline/grouping/parameterize.ts';

/** A message with what varies in it (numbers, ids, dates, addresses) replaced by its kind: `user <int> not found`. */
export const parameterizeMessage = (message: string): string => parameterize(message);
