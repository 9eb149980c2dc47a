import { isSource, type Source } from '../normalize/field-reader.ts';

/** Fields of a payload that went through a scrubber, which may have emptied or replaced anything. */
export const objectAt = (source: Source, key: string): Source => {
  const value = Object.hasOwn(source, key) ? source[key] : undefined;
  return isSource(value) ? value : NOTHING_THERE;
};

/** null when it is absent, empty or no text. */
export const textAt = (source: Source, key: string): string | null => {
  const value = Object.hasOwn(source, key) ? source[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
};

const NOTHING_THERE: Source = {};
