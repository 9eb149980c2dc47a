import { notFound } from 'next/navigation';
import { isErrataError } from '#lib/errors.ts';
import { type AlertRuleRow, getAlertRule } from '#product/alerts/list-alert-rules.ts';
import type { Context } from '#product/context.ts';

/** The rule with the number of the address; the not-found page when there is none that the user may see. */
export async function loadRule(ctx: Context, alert: string): Promise<AlertRuleRow> {
  const ruleId = /^\d{1,15}$/.test(alert) ? Number(alert) : null;
  if (ruleId === null) notFound();
  try {
    return await getAlertRule(ctx, ruleId);
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}
