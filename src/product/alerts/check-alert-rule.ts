import { isDeepStrictEqual } from 'node:util';
import type { AlertDefinition, AlertReceiver, AlertRule } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { parseAlertDefinition } from './alert-definition.ts';
import type { AlertRuleDraft } from './alert-outbox.ts';
import { openMeasure } from './metrics/measure-windows.ts';

const NAME_CHARACTERS_MAX = 256;
const ENVIRONMENT_CHARACTERS_MAX = 64;

export type AlertRuleInput = {
  name: string;
  /** null, or blank, for every one. */
  environment: string | null;
  owner: AlertRule['owner'];
  /** Of any shape: it is checked. */
  definition: unknown;
};

/**
 * A rule that can be kept. Throws Invalid, naming the field, also for what the organization does not have; whom the rule notified
 * `before`, and its owner, may have gone meanwhile.
 */
export async function checkAlertRule(
  ctx: Context,
  project: Project,
  input: AlertRuleInput,
  before: AlertRule | null = null,
): Promise<AlertRuleDraft> {
  const name = input.name.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name)) {
    throw invalid(`Enter a rule name of at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  const environment = input.environment?.trim() || null;
  if (environment !== null && environment.length > ENVIRONMENT_CHARACTERS_MAX) {
    throw invalid(
      `An environment name can have at most ${ENVIRONMENT_CHARACTERS_MAX} characters`,
      'environment',
    );
  }
  const definition = parseAlertDefinition(input.definition);
  await checkPeople(ctx, definition, input.owner, before);
  if (definition.kind === 'metric') await openMeasure(ctx, project, { ...definition, environment });
  return { name, environment, owner: input.owner, definition };
}

/** Everybody and everything that is named anew must be there. */
async function checkPeople(
  ctx: Context,
  definition: AlertDefinition,
  owner: AlertRule['owner'],
  before: AlertRule | null,
): Promise<void> {
  const { accounts, teams, destinations } = ctx.stores;
  const organizationId = ctx.organization.id;
  const [members, known, places] = await Promise.all([
    accounts.listMembers(organizationId),
    teams.list(organizationId),
    destinations.list(organizationId),
  ]);
  const userIds = new Set(members.map(({ id }) => id));
  const teamIds = new Set(known.map(({ id }) => id));
  const destinationIds = new Set(places.map(({ id }) => id));
  const checkOne = (named: { kind: string; userId?: string; teamId?: number }, field: string): void => {
    if (named.userId !== undefined && !userIds.has(named.userId)) {
      throw invalid('This person is no longer a member of the organization: choose someone else', field);
    }
    if (named.teamId !== undefined && !teamIds.has(named.teamId)) {
      throw invalid('This team no longer exists in the organization: choose another team', field);
    }
  };
  const isKept = (receiver: AlertReceiver): boolean =>
    before?.definition.receivers.some((each) => isDeepStrictEqual(each, receiver)) ?? false;
  if (owner && !isDeepStrictEqual(owner, before?.owner)) checkOne(owner, 'owner');
  for (const [index, receiver] of definition.receivers.entries()) {
    if (isKept(receiver)) continue;
    checkOne(receiver, `receivers.${index}`);
    if (receiver.kind === 'destination' && !destinationIds.has(receiver.destinationId)) {
      throw invalid(
        'This destination no longer exists in the organization: choose another destination',
        `receivers.${index}`,
      );
    }
  }
  if (definition.kind === 'metric') {
    if (definition.receivers.some(({ kind }) => kind === 'owners')) {
      throw invalid('Metric alerts have no issue owners: choose people, teams, or destinations');
    }
    return;
  }
  for (const [index, filter] of definition.filters.entries()) {
    if (filter.kind === 'assigned') checkOne(filter.to, `filters.${index}`);
  }
}
