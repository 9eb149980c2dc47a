import type { Mailer } from '#delivery/ports/mailer.ts';
import type { Context } from '#product/context.ts';
import type { TransferOwner } from '../record-parts.ts';
import type { ImportReport } from './import-report.ts';

/** A project here that records of the source name; the IDs are null in a dry run that would make it. */
export type ImportedProject = { id: number | null; slug: string; keyId: number | null };

/** What an import knows on its way. */
export type ImportState = {
  /** null in a dry run for an organization that would be made. */
  ctx: Context | null;
  /** null in a dry run for an organization that was not imported from there before. */
  transferId: number | null;
  isDryRun: boolean;
  report: ImportReport;
  /** Sends invitations; null to send none. */
  mailer: Mailer | null;
  /** By the ID in the source. */
  projects: Map<string, ImportedProject>;
  /** Numbers here by the ID in the source; null in a dry run that would make it. */
  teams: Map<string, number | null>;
  /** User IDs of members by address in lower case. */
  users: Map<string, string>;
  /** Destinations by `service name`, in lower case. */
  destinations: Map<string, number>;
};

export const userOf = (state: ImportState, email: string | null | undefined): string | null =>
  (email && state.users.get(email.toLowerCase())) || null;

/** null for nobody, and for who is not here. */
export function ownerOf(
  state: ImportState,
  owner: TransferOwner | null,
): { kind: 'user'; userId: string } | { kind: 'team'; teamId: number } | null {
  if (owner === null) return null;
  if (owner.kind === 'user') {
    const userId = userOf(state, owner.email);
    return userId === null ? null : { kind: 'user', userId };
  }
  const teamId = state.teams.get(owner.team);
  return teamId ? { kind: 'team', teamId } : null;
}

export const msOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));
