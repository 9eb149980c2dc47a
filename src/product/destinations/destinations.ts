import { invalid, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { requireSharedObjectWrite } from '#product/shared-objects.ts';
import { checkDestination, checkDestinationName, type DestinationFields } from './check-destination.ts';
import { DESTINATION_KINDS_FIELDS, type DestinationKind } from './destination-kinds.ts';
import type { Destination } from './destination-store.ts';

/** By name. Secrets are never part of what is listed. */
export async function listDestinations(ctx: Context): Promise<readonly Destination[]> {
  requireRight(ctx, 'alerts:read');
  return await ctx.stores.destinations.list(ctx.organization.id);
}

/** Throws NotFound. */
export async function getDestination(ctx: Context, destinationId: number): Promise<Destination> {
  requireRight(ctx, 'alerts:read');
  return await findDestination(ctx, destinationId);
}

/** For verbs that have asked for their own right. Throws NotFound. */
export async function findDestination(ctx: Context, destinationId: number): Promise<Destination> {
  const found = await ctx.stores.destinations.find(ctx.organization.id, destinationId);
  if (!found) throw destinationNotFound(ctx);
  return found;
}

export const destinationNotFound = (ctx: Context) =>
  notFound(`Destination not found in ${ctx.organization.slug}: it may have been removed, reload the list`);

export const DESTINATIONS_MAX = 100;

/** `generatedSecret` is shown once and never again; null when nothing was made. */
export type SavedDestination = { destination: Destination; generatedSecret: string | null };

/** Throws Invalid, which names the field, and Conflict when the name is taken. */
export async function addDestination(
  ctx: Context,
  input: { kind: DestinationKind; name: string; fields: DestinationFields },
): Promise<SavedDestination> {
  requireSharedObjectWrite(ctx);
  const { destinations } = ctx.stores;
  const name = checkDestinationName(input.name);
  const { config, secret, generatedSecret } = checkDestination(input.kind, input.fields, null);
  if ((await destinations.list(ctx.organization.id)).length >= DESTINATIONS_MAX) {
    throw invalid(
      `${ctx.organization.slug} already has ${DESTINATIONS_MAX} destinations: remove some first`,
      'name',
    );
  }
  const destination = await audited(
    ctx,
    (ctx) =>
      ctx.stores.destinations.add(
        ctx.organization.id,
        { kind: input.kind, name, config, secret },
        userIdOf(ctx),
        ctx.now(),
      ),
    (added) => ({
      action: 'destination.add',
      target: destinationTarget(added),
      data: { kind: added.kind, config },
    }),
  );
  return { destination, generatedSecret };
}

/** A secret field that is absent or empty stays as it is. Throws Invalid, NotFound, and Conflict as `addDestination`. */
export async function updateDestination(
  ctx: Context,
  input: { destinationId: number; name: string; fields: DestinationFields },
): Promise<SavedDestination> {
  requireSharedObjectWrite(ctx);
  const { destinations } = ctx.stores;
  const known = await findDestination(ctx, input.destinationId);
  const reading = await destinations.readSecret(ctx.organization.id, known.id);
  // What cannot be read any more is to be entered again: it is as if nothing was there.
  const knownSecret = reading.kind === 'read' ? reading.secret : {};
  const name = checkDestinationName(input.name);
  const checked = checkDestination(known.kind, input.fields, { config: known.config, secret: knownSecret });
  const { config, secret, generatedSecret } = checked;
  const isSecretChanged = JSON.stringify(secret) !== JSON.stringify(knownSecret);
  const destination = await audited(
    ctx,
    async (ctx) => {
      const change = { name, config, secret: isSecretChanged ? secret : null };
      const updated = await ctx.stores.destinations.update(ctx.organization.id, known.id, change);
      if (!updated) throw destinationNotFound(ctx);
      return updated;
    },
    (updated) => ({
      action: 'destination.edit',
      target: destinationTarget(updated),
      // Only that a secret changed, never to what.
      data: { config, isSecretChanged },
    }),
  );
  return { destination, generatedSecret };
}

/** Messages that wait for it are gone with it; rules that name it notify one receiver less. Throws NotFound. */
export async function removeDestination(ctx: Context, destinationId: number): Promise<void> {
  requireSharedObjectWrite(ctx);
  const known = await findDestination(ctx, destinationId);
  await audited(
    ctx,
    async (ctx) => {
      const isRemoved = await ctx.stores.destinations.remove(ctx.organization.id, destinationId);
      if (!isRemoved) throw destinationNotFound(ctx);
    },
    () => ({ action: 'destination.remove', target: destinationTarget(known), data: { kind: known.kind } }),
  );
}

export const destinationTarget = ({ id, name, kind }: Destination): AuditedChange['target'] => ({
  kind: 'destination',
  id,
  name: `${name} (${DESTINATION_KINDS_FIELDS[kind].name})`,
});

export const UNREADABLE =
  "The destination's credentials were encrypted with a different ERRATA_SECRET: save them again";
