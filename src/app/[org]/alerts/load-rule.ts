import { notFound } from 'next/navigation';
import { orNotFound } from '#app/or-not-found.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { type AlertRuleRow, getAlertRule, listAlertReceivers } from '#product/alerts/list-alert-rules.ts';
import type { Context } from '#product/context.ts';
import { DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { getServices } from '#product/services.ts';
import type { FormOptions } from './rule-form/form-options.ts';

/** The rule with the number of the address; the not-found page when there is none that the user may see. */
export async function loadRule(ctx: Context, alert: string): Promise<AlertRuleRow> {
  if (!/^\d{1,15}$/.test(alert)) notFound();
  return orNotFound(getAlertRule(ctx, Number(alert)));
}

/** Enough for a list that people still look through. */
const PEOPLE_OFFERED_MAX = 1_000;
const ENVIRONMENTS_OFFERED_MAX = 200;

/** What a rule of the project can refer to. */
export async function loadFormOptions(ctx: Context, projectSlug: string): Promise<FormOptions> {
  const [{ users, teams, destinations }, { email, destinations: health }, environments] = await Promise.all([
    listAlertReceivers(ctx),
    getDeliveryHealth(ctx, getServices().mailer, []),
    listEnvironments(ctx, [projectSlug]),
  ]);
  return {
    users: users.slice(0, PEOPLE_OFFERED_MAX),
    teams,
    destinations: destinations.map(({ id, name, kind }) => ({
      id,
      name,
      kindName: DESTINATION_KINDS_FIELDS[kind].name,
    })),
    health: { email, destinations: health },
    now: ctx.now(),
    environments: environments.slice(0, ENVIRONMENTS_OFFERED_MAX),
  };
}
