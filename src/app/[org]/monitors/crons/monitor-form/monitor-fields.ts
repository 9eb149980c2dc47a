import { type FormInput, type FormValues, fields } from '#app/forms/fields.ts';
import { invalid } from '#lib/errors.ts';
import type { MonitorInput } from '#product/monitors/check-monitor.ts';
import type { MonitorSettings } from '#product/monitors/monitor.ts';
import { INTERVAL_UNITS, type MonitorSchedule } from '#protocol/monitor-config.ts';

export const NAME_FIELDS = fields({
  name: { kind: 'text', label: 'Name', max: 128, placeholder: 'Nightly backup' },
});

/** Only while there are no check-ins: they name both. */
export const PLACE_FIELDS = fields({
  project: { kind: 'choice', label: 'Project' },
  slug: {
    kind: 'slug',
    label: 'Slug',
    help: 'Check-ins use it. Made from the name if you leave it empty.',
    max: 50,
    isOptional: true,
    placeholder: 'nightly-backup',
  },
});

export const TYPE_FIELDS = fields({
  scheduleType: {
    kind: 'choice',
    label: 'Schedule',
    options: [
      { value: 'crontab', label: 'Crontab' },
      { value: 'interval', label: 'Interval' },
    ],
  },
});

export const CRONTAB_FIELDS = fields({
  schedule: {
    kind: 'text',
    label: 'Crontab',
    help: 'Minute, hour, day of month, month, day of week; or @hourly, @daily, @weekly, @monthly, @yearly.',
    max: 256,
    isOptional: true,
    placeholder: '0 3 * * *',
  },
});

export const INTERVAL_FIELDS = fields({
  intervalValue: { kind: 'number', label: 'Every', isOptional: true, placeholder: '10' },
  intervalUnit: {
    kind: 'choice',
    label: 'Unit',
    options: INTERVAL_UNITS.toReversed().map((unit) => ({ value: unit, label: `${unit}s` })),
  },
});

export const ZONE_FIELDS = fields({
  timeZone: {
    kind: 'text',
    label: 'Time zone',
    help: 'Of the machine that runs the job, such as Europe/Vienna.',
    max: 128,
    placeholder: 'UTC',
  },
});

export const LIMIT_FIELDS = fields({
  checkinMargin: {
    kind: 'number',
    label: 'Grace period',
    unit: 'minutes',
    help: 'How late a check-in may be before the run is missed.',
  },
  maxRuntime: {
    kind: 'number',
    label: 'Maximum runtime',
    unit: 'minutes',
    help: 'How long a run may be in progress before it times out.',
  },
  failureIssueThreshold: {
    kind: 'number',
    label: 'Failure tolerance',
    unit: 'in a row',
    help: 'An issue is created after so many missed, failed, or timed-out runs.',
  },
  recoveryThreshold: {
    kind: 'number',
    label: 'Recovery tolerance',
    unit: 'in a row',
    help: 'The issue is resolved after so many successful runs.',
  },
});

export const OWNER_FIELDS = fields({ owner: { kind: 'choice', label: 'Owner' } });

const EDITED_FIELDS = {
  ...NAME_FIELDS,
  ...TYPE_FIELDS,
  ...CRONTAB_FIELDS,
  ...INTERVAL_FIELDS,
  ...ZONE_FIELDS,
  ...LIMIT_FIELDS,
  ...OWNER_FIELDS,
};

export const MONITOR_FIELDS = { edited: EDITED_FIELDS, created: { ...EDITED_FIELDS, ...PLACE_FIELDS } };

type Values = FormValues<typeof MONITOR_FIELDS.created>;

/** What stands in the fields for a monitor. */
export function valuesOfMonitor(
  monitor: MonitorSettings & { name: string; owner: { type: 'user' | 'team'; id: string } | null },
): Values {
  const { schedule, owner } = monitor;
  return {
    name: monitor.name,
    scheduleType: schedule?.type ?? 'crontab',
    schedule: schedule?.type === 'crontab' ? schedule.value : '',
    intervalValue: schedule?.type === 'interval' ? schedule.value : null,
    intervalUnit: schedule?.type === 'interval' ? schedule.unit : 'minute',
    timeZone: monitor.timeZone,
    checkinMargin: monitor.checkinMargin,
    maxRuntime: monitor.maxRuntime,
    failureIssueThreshold: monitor.failureIssueThreshold,
    recoveryThreshold: monitor.recoveryThreshold,
    owner: owner ? `${owner.type}:${owner.id}` : NO_OWNER,
  };
}

export const NO_OWNER = 'none';

/** What was entered, for the verb. Throws Invalid for an interval that is none. */
export function readMonitorFields(input: FormInput<typeof MONITOR_FIELDS.edited>): MonitorInput {
  const { name, timeZone, checkinMargin, maxRuntime, failureIssueThreshold, recoveryThreshold } = input;
  return {
    name,
    schedule: scheduleOf(input),
    timeZone: timeZone.trim() || 'UTC',
    checkinMargin,
    maxRuntime,
    failureIssueThreshold,
    recoveryThreshold,
    owner: ownerOf(input.owner),
  };
}

function scheduleOf({
  scheduleType,
  schedule,
  intervalValue,
  intervalUnit,
}: FormInput<typeof MONITOR_FIELDS.edited>): MonitorSchedule {
  if (scheduleType !== 'interval') return { type: 'crontab', value: schedule.trim() };
  const unit = INTERVAL_UNITS.find((each) => each === intervalUnit);
  if (intervalValue === null) throw invalid('Enter how often the job runs', 'intervalValue');
  if (unit === undefined) throw invalid('Choose a unit', 'intervalUnit');
  return { type: 'interval', value: intervalValue, unit };
}

function ownerOf(sent: string): MonitorInput['owner'] {
  const [kind, ...rest] = sent.split(':');
  const id = rest.join(':');
  if (kind === 'user') return { kind, userId: id };
  return kind === 'team' ? { kind, teamId: Number(id) } : null;
}
