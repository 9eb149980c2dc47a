import { z } from 'zod';

export const text = z.string();
export const number = z.number();
export const flag = z.boolean();
/** Something, of whichever type. */
export const anything = z.custom<unknown>((value) => value !== undefined, 'missing');
