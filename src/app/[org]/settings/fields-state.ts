import { refusalOf } from './refusal.ts';
import type { SettingsState } from './use-settings-form.ts';

/** State of a form of a few fields: what is wrong with which of them. */
export type FieldsState = SettingsState & {
  /** Sentences by the name of the field. */
  problems: Readonly<Record<string, string>>;
};

/** Runs `save`; what it refuses stands beside the field that it names, when the form has such a field. */
export async function fieldsStateOf(
  save: () => Promise<unknown>,
  fields: readonly string[],
  nowMs: number,
): Promise<FieldsState> {
  const refusal = await refusalOf(save);
  if (!refusal) return { error: null, problems: {}, savedAt: nowMs };
  const { field, message } = refusal;
  return field !== null && fields.includes(field)
    ? { error: null, problems: { [field]: message }, savedAt: null }
    : { error: message, problems: {}, savedAt: null };
}
