import type { RecordOf } from '../records.ts';
import { textOf } from './foreign-values.ts';

/** `reason`: a sentence for people, without a full stop. */
export const unmapped = (of: string, id: string, name: unknown, reason: string): RecordOf<'unmapped'> => ({
  kind: 'unmapped',
  of,
  id,
  name: textOf(name) ?? '',
  reason,
});
