import { z } from 'zod';

type Base = {
  label: string;
  /** What people need to know to fill it in. */
  help?: string;
};
type Typed = Base & {
  placeholder?: string;
  /** Characters. */
  max?: number;
  /** It may be left empty. */
  isOptional?: boolean;
};

/**
 * A field of a form, declared once as plain data: a server component can hand it to a form in the browser, and the schema
 * that the action parses with is made of it.
 */
export type FieldSpec =
  | (Typed & { kind: 'text' | 'email' })
  /** Several lines, with one kind of line ending. */
  | (Typed & { kind: 'lines' })
  /** Never sent back to the page. */
  | (Typed & { kind: 'secret' })
  /** What stands for something in addresses. */
  | (Typed & { kind: 'slug' })
  /** A whole number as people type it, such as `1,000`, or one with a fraction; null when it is optional and empty. */
  | (Typed & { kind: 'number'; unit?: string; allowsFraction?: boolean })
  | (Base & { kind: 'switch' })
  /** One of the options. The verb knows which there are; the page fills in those that are left out here. */
  | (Base & { kind: 'choice'; options?: readonly Option[] })
  /** Any of the options. */
  | (Base & { kind: 'choices'; options?: readonly Option[] });

type Option = { value: string; label: string };

export type Fields = Readonly<Record<string, FieldSpec>>;

type ValueOf<Field extends FieldSpec> = Field extends { kind: 'switch' }
  ? boolean
  : Field extends { kind: 'number' }
    ? Field extends { isOptional: true }
      ? number | null
      : number
    : Field extends { kind: 'choices' }
      ? readonly string[]
      : string;

/** What an action gets of a form with these fields. */
export type FormInput<Declared extends Fields> = { [Name in keyof Declared]: ValueOf<Declared[Name]> };

/** What stands in the fields at first. */
export type FormValues<Declared extends Fields> = {
  readonly [Name in keyof Declared]?: ValueOf<Declared[Name]> | null;
};

/** Declares the fields of a form, with their names. */
export const fields = <const Declared extends Fields>(declared: Declared): Declared => declared;

/** Declares one field for each of the names. */
export const fieldForEach = <Name extends string, const Field extends FieldSpec>(
  names: readonly Name[],
  declare: (name: Name) => Field,
): Readonly<Record<Name, Field>> =>
  Object.fromEntries(names.map((name) => [name, declare(name)])) as Readonly<Record<Name, Field>>;

/** Longer than anything that people type; fields with a bound of their own say it. */
const CHARACTERS_MAX = 100_000;

function schemaOf(field: FieldSpec): z.ZodType {
  switch (field.kind) {
    case 'switch':
      return z.string().transform((sent) => sent !== '');
    case 'choice':
      return z.string().max(CHARACTERS_MAX);
    case 'choices':
      return z.array(z.string().max(CHARACTERS_MAX)).max(1_000);
    case 'number':
      return field.allowsFraction ? fractionSchema(field) : wholeNumberSchema(field);
    default: {
      const text = z.string().max(field.max ?? CHARACTERS_MAX, {
        error: `Enter at most ${field.max ?? CHARACTERS_MAX} characters.`,
      });
      if (field.kind === 'lines') return text.transform((lines) => lines.replaceAll('\r\n', '\n'));
      return field.kind === 'slug' || field.kind === 'email' ? text.trim() : text;
    }
  }
}

type NumberField = Extract<FieldSpec, { kind: 'number' }>;

const wholeNumberSchema = ({ isOptional }: NumberField) =>
  z
    .string()
    .transform((text) => text.replace(/[\s,']/g, ''))
    .refine((text) => /^\d{1,15}$/.test(text) || (text === '' && isOptional), {
      error: isOptional ? 'Enter a whole number, or leave the field empty.' : 'Enter a whole number.',
    })
    .transform((text) => (text === '' ? null : Number(text)));

const fractionSchema = ({ isOptional, unit }: NumberField) =>
  z
    .string()
    .trim()
    .refine((text) => /^\d{1,7}([.,]\d{1,3})?$/.test(text) || (text === '' && isOptional), {
      error: `Enter a number${unit ? ` of ${unit}` : ''}, such as 2 or 0.5.`,
    })
    .transform((text) => (text === '' ? null : Number(text.replace(',', '.'))));

/** Sentences by the name of the field. */
export type FieldErrors = Readonly<Record<string, string>>;

/** What was typed, by the name of the field; without what is secret. */
export type TypedValues = Readonly<Record<string, string | readonly string[]>>;

/** Reads what a browser sent: what the action gets, or what is wrong with which field. A field that is absent is empty. */
export function readFields<Declared extends Fields>(
  declared: Declared,
  form: FormData,
): { typed: TypedValues } & ({ input: FormInput<Declared>; errors: null } | { errors: FieldErrors }) {
  const sent = Object.fromEntries(
    Object.entries(declared).map(([name, { kind }]) => [
      name,
      kind === 'choices' ? form.getAll(name).map(String) : String(form.get(name) ?? ''),
    ]),
  );
  const typed = Object.fromEntries(
    Object.entries(sent).filter(([name]) => declared[name]?.kind !== 'secret'),
  );
  const shape = Object.fromEntries(Object.entries(declared).map(([name, field]) => [name, schemaOf(field)]));
  const result = z.object(shape).safeParse(sent);
  if (result.success) return { typed, input: result.data as FormInput<Declared>, errors: null };
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error.issues) errors[String(path[0])] ??= message;
  return { typed, errors };
}

/** What stands in the fields: of something that is stored, only what has a field goes to the browser. */
export const valuesOf = <Declared extends Fields>(
  declared: Declared,
  stored: FormValues<Declared>,
): FormValues<Declared> =>
  Object.fromEntries(
    Object.keys(declared).map((name) => [name, stored[name] ?? null]),
  ) as FormValues<Declared>;
