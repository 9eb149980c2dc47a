import { isErrataError } from '#lib/errors.ts';
import { type FieldErrors, type Fields, type FormInput, readFields, type TypedValues } from './fields.ts';

/** What the page of a form knows of it, before it was sent and after. */
export type FormState<Result = null> = {
  /** Fields that are wrong. */
  errors: FieldErrors;
  /** What is wrong with the whole; null when nothing is, or only single fields are. */
  error: string | null;
  /** What was typed, kept when it was refused; empty once it was saved. */
  typed: TypedValues;
  /** Milliseconds since the epoch; null until it was saved. */
  savedAt: number | null;
  /** What the action answered; null until it was saved. */
  result: Result | null;
};

export const UNSENT: FormState<never> = { errors: {}, error: null, typed: {}, savedAt: null, result: null };

/** Something that was tried: it went well, or a refusal that people can correct. */
export type Answer<Value> =
  | { ok: true; value: Value }
  /** `message` is a sentence without its full stop; `field` is null when no single field is wrong. */
  | { ok: false; message: string; field: string | null };

/** Runs it; an error that people can correct becomes an answer, any other is thrown. */
export async function answerOf<Value>(run: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return { ok: false, message: error.message, field: error.field };
  }
}

/** Why it was refused, as a sentence; null when it went well. */
export async function refusalOf(run: () => Promise<unknown>): Promise<string | null> {
  const answer = await answerOf(run);
  return answer.ok ? null : `${answer.message}.`;
}

/** What `save` answers when it looked at the form and saved nothing: what the form shows of it. */
export class NotSaved<Result> {
  readonly result: Result;
  constructor(result: Result) {
    this.result = result;
  }
}

/** Parses a form by its fields and saves it. What is wrong goes to the field that it is about, where the form has it. */
export async function submitForm<Declared extends Fields, Result>(
  declared: Declared,
  form: FormData,
  save: (input: FormInput<Declared>) => Promise<Result | NotSaved<Result>>,
): Promise<FormState<Result>> {
  const read = readFields(declared, form);
  const { typed } = read;
  if (read.errors !== null) return { ...UNSENT, errors: read.errors, typed };
  const answer = await answerOf(() => save(read.input));
  if (answer.ok) {
    const { value } = answer;
    if (value instanceof NotSaved) return { ...UNSENT, typed, result: value.result };
    return { ...UNSENT, savedAt: Date.now(), result: value };
  }
  const message = `${answer.message}.`;
  return answer.field !== null && answer.field in declared
    ? { ...UNSENT, errors: { [answer.field]: message }, typed }
    : { ...UNSENT, error: message, typed };
}
