import { z } from 'zod';
import { readOwner } from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import { invalid } from '#lib/errors.ts';
import type { MonitorInput, MonitorOwner } from '#product/monitors/check-monitor.ts';
import { INTERVAL_UNITS, type MonitorSchedule } from '#protocol/monitor-config.ts';

const COUNT = z.number().int().nullish();

const CONFIG_SENT = z.object({
  schedule_type: z.enum(['crontab', 'interval']).optional(),
  schedule: z.union([z.string().max(256), z.array(z.union([z.string(), z.number()])).max(2)]).optional(),
  checkin_margin: COUNT,
  max_runtime: COUNT,
  timezone: z.string().max(128).nullish(),
  failure_issue_threshold: COUNT,
  recovery_threshold: COUNT,
});

/** Source: https://docs.sentry.io/api/crons/update-a-monitor/ */
export const MONITOR_CHANGE = z.object({
  name: z.string().max(256).optional(),
  slug: z.string().max(256).optional(),
  config: CONFIG_SENT.optional(),
  owner: z.string().max(160).nullish(),
  status: z.enum(['active', 'disabled']).optional(),
  is_muted: z.boolean().optional(),
  isMuted: z.boolean().optional(),
});

/** Source: https://docs.sentry.io/api/crons/create-a-monitor/ */
export const NEW_MONITOR = MONITOR_CHANGE.extend({
  project: z.string().max(256),
  name: z.string().max(256),
  config: CONFIG_SENT,
});

/** Throws Invalid for a schedule of another shape. */
export function readMonitorBody({
  name,
  slug,
  config,
  owner,
  status,
  ...body
}: z.output<typeof MONITOR_CHANGE>): MonitorInput {
  const isMuted = body.isMuted ?? body.is_muted;
  return {
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(owner !== undefined && { owner: ownerOf(owner) }),
    ...(status !== undefined && { isDisabled: status === 'disabled' }),
    ...(isMuted !== undefined && { isMuted }),
    ...(config?.schedule !== undefined && { schedule: scheduleOf(config) }),
    ...(config?.checkin_margin != null && { checkinMargin: config.checkin_margin }),
    ...(config?.max_runtime != null && { maxRuntime: config.max_runtime }),
    ...(config?.timezone != null && { timeZone: config.timezone }),
    ...(config?.failure_issue_threshold != null && {
      failureIssueThreshold: config.failure_issue_threshold,
    }),
    ...(config?.recovery_threshold != null && { recoveryThreshold: config.recovery_threshold }),
  };
}

/** A text is a crontab; a number with a unit is an interval, whatever the type says. */
function scheduleOf({ schedule }: z.output<typeof CONFIG_SENT>): MonitorSchedule {
  if (typeof schedule === 'string') return { type: 'crontab', value: schedule };
  const [value, sentUnit] = schedule ?? [];
  const unit = INTERVAL_UNITS.find((name) => name === sentUnit);
  if (typeof value === 'number' && unit !== undefined) return { type: 'interval', value, unit };
  throw invalid(`"schedule": use a crontab, or a number and a unit such as [5, "minute"]`, 'config');
}

const ownerOf = (owner: string | null): MonitorOwner | null => readOwner(owner);
