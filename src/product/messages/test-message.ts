import type { Context } from '#product/context.ts';
import type { AlertMessage } from './alert-message.ts';

/** What somebody sends to see whether a destination works. */
export const testMessage = (ctx: Context, by: string): AlertMessage => ({
  isTest: true,
  organization: ctx.organization,
  headline: 'This is a test',
  intro: `${by} tries whether Errata reaches this place. It does: alerts of ${ctx.organization.name} can be told here. Nothing is wrong.`,
  tone: 'info',
  link: { url: `${ctx.publicUrl}/${ctx.organization.slug}/alerts`, label: 'Look at the alerts' },
  issues: [],
  issuesLeft: 0,
  metrics: [],
  metricsLeft: 0,
  rules: [],
  at: ctx.now(),
});
