import type { Context } from '#product/context.ts';
import type { AlertRuleDraft } from './alert-outbox.ts';

/**
 * What a new project begins with: errors that are new, or came back, are sent to their owners, else to everybody of
 * the project; warnings and less are not, until somebody makes a rule for them.
 */
export const DEFAULT_RULES: readonly AlertRuleDraft[] = [
  {
    name: 'New and regressed issues',
    environment: null,
    owner: null,
    definition: {
      kind: 'issue',
      triggers: ['first_seen', 'regression', 'escalation'],
      filters: [{ kind: 'priority', atLeast: 'high' }],
      filterMatch: 'all',
      frequencyMinutes: 30,
      receivers: [{ kind: 'owners', otherwise: 'members' }],
    },
  },
];

/** Within whatever makes the project. */
export async function addDefaultRules(
  { stores, organization, now }: Pick<Context, 'stores' | 'organization' | 'now'>,
  projectId: number,
  userId: string | null,
): Promise<void> {
  for (const draft of DEFAULT_RULES) {
    await stores.alertRules.create(organization.id, projectId, draft, userId, now());
  }
}
