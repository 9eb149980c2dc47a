import type { Context } from '#product/context.ts';
import type { DestinationKind } from '#product/destinations/destination-kinds.ts';
import type { AlertMessage } from './alert-message.ts';
import { formatDiscord } from './formats/discord.ts';
import { formatGoogleChat } from './formats/google-chat.ts';
import { formatMattermost } from './formats/mattermost.ts';
import { formatTeams } from './formats/msteams.ts';
import { formatNtfy } from './formats/ntfy.ts';
import { formatPagerDuty } from './formats/pagerduty.ts';
import { formatSlack } from './formats/slack.ts';
import { formatTelegram } from './formats/telegram.ts';
import { formatWebhook } from './formats/webhook.ts';
import type { FormattedPart } from './message-content.ts';

type Format = (message: AlertMessage, deliveryId: string, publicUrl: string) => readonly FormattedPart[];

const FORMATS: Readonly<Record<DestinationKind, Format>> = {
  webhook: formatWebhook,
  slack: formatSlack,
  discord: formatDiscord,
  msteams: formatTeams,
  pagerduty: formatPagerDuty,
  telegram: formatTelegram,
  mattermost: formatMattermost,
  google_chat: formatGoogleChat,
  ntfy: formatNtfy,
};

/** The message as a service wants it, without what identifies its receiver. */
export const formatMessage = (
  kind: DestinationKind,
  message: AlertMessage,
  deliveryId: string,
  publicUrl: string,
): readonly FormattedPart[] => FORMATS[kind](message, deliveryId, publicUrl);

/** What somebody sends to see whether messages arrive. */
export const testMessage = (ctx: Context, by: string): AlertMessage => ({
  isTest: true,
  organization: ctx.organization,
  headline: 'This is a test',
  intro: `${by} sent this to check that Errata can send notifications here. It works: alerts from ${ctx.organization.name} can be sent here. Nothing is wrong.`,
  tone: 'info',
  link: { url: `${ctx.publicUrl}/${ctx.organization.slug}/alerts`, label: 'View alerts' },
  issues: [],
  issuesLeft: 0,
  metrics: [],
  metricsLeft: 0,
  rules: [],
  at: ctx.now(),
});
