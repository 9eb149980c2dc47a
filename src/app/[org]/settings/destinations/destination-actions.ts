'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { type FieldsState, fieldsStateOf } from '#app/[org]/settings/fields-state.ts';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import {
  addDestination,
  removeDestination,
  type SavedDestination,
  updateDestination,
} from '#product/destinations/change-destinations.ts';
import { DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import { testDestination } from '#product/destinations/test-destination.ts';
import { getServices } from '#product/services.ts';
import { DESTINATION_KINDS, type DestinationKind } from '#storage/ports/destinations.ts';

export type DestinationState = FieldsState & {
  /** What was made because none was given; shown once. */
  generatedSecret: string | null;
  /** Of the destination that was saved; null before. */
  destinationId: number | null;
};

/** Makes a destination; the page of it comes next, unless there is a secret to be copied first. */
export async function addDestinationAction(
  orgSlug: string,
  kind: DestinationKind,
  _previous: DestinationState,
  form: FormData,
): Promise<DestinationState> {
  const ctx = await getRequestContext(orgSlug);
  if (!DESTINATION_KINDS.includes(kind)) throw new Error(`There is no destination of the kind "${kind}"`);
  const state = await save(kind, ctx.now(), () =>
    addDestination(ctx, { kind, name: String(form.get('name') ?? ''), fields: fieldsOf(kind, form) }),
  );
  if (state.destinationId === null) return state;
  revalidatePath(`/${orgSlug}/settings/destinations`, 'layout');
  if (state.generatedSecret !== null) return state;
  redirect(`/${orgSlug}/settings/destinations/${state.destinationId}`);
}

export async function updateDestinationAction(
  orgSlug: string,
  kind: DestinationKind,
  destinationId: number,
  _previous: DestinationState,
  form: FormData,
): Promise<DestinationState> {
  const ctx = await getRequestContext(orgSlug);
  const state = await save(kind, ctx.now(), () =>
    updateDestination(ctx, {
      destinationId,
      name: String(form.get('name') ?? ''),
      fields: fieldsOf(kind, form),
    }),
  );
  revalidatePath(`/${orgSlug}/settings/destinations`, 'layout');
  return state;
}

/** Answers what went wrong, or null. */
export async function removeDestinationAction(
  orgSlug: string,
  destinationId: number,
): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => removeDestination(ctx, destinationId));
  revalidatePath(`/${orgSlug}/settings/destinations`, 'page');
  return refusal?.message ?? null;
}

export type TestState = { kind: 'sent' } | { kind: 'failed'; reason: string };

/** A real message that says it is a test. */
export async function testDestinationAction(orgSlug: string, destinationId: number): Promise<TestState> {
  const ctx = await getRequestContext(orgSlug);
  try {
    const result = await testDestination(ctx, getServices().destinationSender, destinationId);
    return result.kind === 'sent' ? { kind: 'sent' } : { kind: 'failed', reason: result.reason };
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return { kind: 'failed', reason: error.message };
  } finally {
    revalidatePath(`/${orgSlug}/settings/destinations`, 'layout');
  }
}

async function save(
  kind: DestinationKind,
  nowMs: number,
  change: () => Promise<SavedDestination>,
): Promise<DestinationState> {
  let saved: SavedDestination | null = null;
  const keys = DESTINATION_KINDS_FIELDS[kind].fields.map(({ key }) => key);
  const state = await fieldsStateOf(
    async () => {
      saved = await change();
    },
    ['name', ...keys],
    nowMs,
  );
  // What is assigned in a callback, the compiler does not follow.
  const done = saved as SavedDestination | null;
  return {
    ...state,
    generatedSecret: done?.generatedSecret ?? null,
    destinationId: done?.destination.id ?? null,
  };
}

const fieldsOf = (kind: DestinationKind, form: FormData): Record<string, string> =>
  Object.fromEntries(
    DESTINATION_KINDS_FIELDS[kind].fields.map(({ key }) => [key, String(form.get(key) ?? '')]),
  );
