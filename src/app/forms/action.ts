import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { getRequestContext } from '#app/request-context.ts';
import type { Context } from '#product/context.ts';
import type { Fields, FormInput } from './fields.ts';
import {
  type Answer,
  answerOf,
  type FormState,
  type NotSaved,
  refusalOf,
  submitForm,
} from './submit-form.ts';

const SLUG = z.string().max(100);

/** What is shown anew afterwards: every page of the organization, one path below it, or nothing. */
type Revalidates = 'organization' | `/${string}` | 'nothing';

function revalidate(orgSlug: string, what: Revalidates = 'organization'): void {
  if (what === 'organization') revalidatePath(`/${orgSlug}`, 'layout');
  else if (what !== 'nothing') revalidatePath(`/${orgSlug}${what}`, 'page');
}

/** Ends an action on another page, since the one it was sent from is gone. */
export function leaveTo({ organization }: Context, path: string): never {
  revalidatePath(`/${organization.slug}`, 'layout');
  redirect(path);
}

type Options<Input extends z.ZodType, Value> = {
  /** What the browser must send: anything may come. */
  input: Input;
  /** A verb of the product, which checks the rights. */
  run: (ctx: Context, input: z.output<Input>) => Promise<Value>;
  /** The organization when it is left out. */
  revalidates?: Revalidates;
};

/**
 * A server action of somebody in an organization, the slug of which it takes first. Answers why it was refused, as a
 * sentence, or null.
 */
export const action =
  <Input extends z.ZodType>({ input, run, revalidates }: Options<Input, unknown>) =>
  async (orgSlug: string, sent: z.input<Input>): Promise<string | null> => {
    const ctx = await getRequestContext(SLUG.parse(orgSlug));
    const parsed = input.parse(sent);
    const refusal = await refusalOf(() => run(ctx, parsed));
    revalidate(orgSlug, revalidates);
    return refusal;
  };

/** As `action`; answers what the verb did, or the refusal. */
export const answeringAction =
  <Input extends z.ZodType, Value>({ input, run, revalidates }: Options<Input, Value>) =>
  async (orgSlug: string, sent: z.input<Input>): Promise<Answer<Value>> => {
    const ctx = await getRequestContext(SLUG.parse(orgSlug));
    const parsed = input.parse(sent);
    const answer = await answerOf(() => run(ctx, parsed));
    revalidate(orgSlug, revalidates);
    return answer;
  };

type FormOptions<Declared extends Fields, Place extends z.ZodType, Result> = {
  /** Of this place, where they are not always the same. */
  fields: Declared | ((place: z.output<Place>) => Declared);
  place: Place;
  /** A verb of the product, which checks the rights. What it answers is the result of the form. */
  save: (
    ctx: Context,
    input: FormInput<Declared>,
    place: z.output<Place>,
    previous: Result | null,
  ) => Promise<Result | NotSaved<Result>>;
  /** The organization when it is left out. */
  revalidates?: Revalidates;
};

/**
 * The action of a form in an organization: parses what was sent by the declaration of the fields, and answers the state of
 * the form. `place` is what the page binds before the form: the project, or the thing that is edited.
 */
export const answeringFormAction =
  <Declared extends Fields, Place extends z.ZodType, Result>({
    fields,
    place,
    save,
    revalidates,
  }: FormOptions<Declared, Place, Result>) =>
  async (
    orgSlug: string,
    bound: z.input<Place>,
    previous: FormState<Result>,
    form: FormData,
  ): Promise<FormState<Result>> => {
    const ctx = await getRequestContext(SLUG.parse(orgSlug));
    const parsed = place.parse(bound);
    const declared = typeof fields === 'function' ? fields(parsed) : fields;
    const state = await submitForm(declared, form, (input) => save(ctx, input, parsed, previous.result));
    if (state.savedAt !== null) revalidate(orgSlug, revalidates);
    return { ...state, result: state.result ?? previous.result };
  };

/** As `answeringFormAction`, for a form that shows nothing of what was saved. */
export const formAction = <Declared extends Fields, Place extends z.ZodType>({
  save,
  ...options
}: Omit<FormOptions<Declared, Place, null>, 'save'> & {
  save: (ctx: Context, input: FormInput<Declared>, place: z.output<Place>) => Promise<unknown>;
}) =>
  answeringFormAction({
    ...options,
    save: async (ctx, input: FormInput<Declared>, place): Promise<null> => {
      await save(ctx, input, place);
      return null;
    },
  });
