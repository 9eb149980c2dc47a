import { invalid } from '#lib/errors.ts';

/** Sentry's cursor of a list with numbered rows: `0:<offset>:0`; null is the first page. Throws Invalid. */
export function readOffset(cursor: string | null): number {
  if (cursor === null) return 0;
  const offset = /^0:(\d{1,6}):0$/.exec(cursor)?.[1];
  if (offset === undefined)
    throw invalid(
      'The cursor is invalid: use one from the Link header, or start again without a cursor',
      'cursor',
    );
  return Number(offset);
}

export const writeOffset = (offset: number): string => `0:${offset}:0`;
