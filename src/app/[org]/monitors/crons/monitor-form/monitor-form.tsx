'use client';

import { type FormEvent, useState } from 'react';
import type { FormValues } from '#app/forms/fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import { INTERVAL_UNITS, type MonitorSchedule } from '#protocol/monitor-config.ts';
import { Card } from '#ui/card.tsx';
import { createMonitorAction, updateMonitorAction } from '../actions.ts';
import {
  CRONTAB_FIELDS,
  INTERVAL_FIELDS,
  LIMIT_FIELDS,
  type MONITOR_FIELDS,
  NAME_FIELDS,
  OWNER_FIELDS,
  PLACE_FIELDS,
  TYPE_FIELDS,
  ZONE_FIELDS,
} from './monitor-fields.ts';
import { SchedulePreview } from './schedule-preview.tsx';

type Values = FormValues<typeof MONITOR_FIELDS.created>;
type Options = readonly { value: string; label: string }[];

/** A monitor with a preview of its next runs; without an id, a new one. */
export function MonitorForm({
  organizationSlug,
  monitorId,
  values,
  projects,
  owners,
  now,
}: {
  organizationSlug: string;
  monitorId: number | null;
  values: Values;
  projects: Options;
  owners: Options;
  now: number;
}) {
  const form = useForm(
    monitorId === null
      ? createMonitorAction.bind(null, organizationSlug, {})
      : updateMonitorAction.bind(null, organizationSlug, { monitorId }),
  );
  const [entered, setEntered] = useState<Entered>({
    scheduleType: String(values.scheduleType ?? 'crontab'),
    schedule: String(values.schedule ?? ''),
    intervalValue: String(values.intervalValue ?? ''),
    intervalUnit: String(values.intervalUnit ?? 'minute'),
    timeZone: String(values.timeZone ?? 'UTC'),
  });
  const enter = (name: string, value: string) => {
    if (name in entered) setEntered((before) => ({ ...before, [name]: value }));
  };
  const { state } = form;
  const isInterval = entered.scheduleType === 'interval';
  return (
    <div
      onInput={({ target }: FormEvent) => {
        if (target instanceof HTMLInputElement) enter(target.name, target.value);
      }}
    >
      <FormFrame
        form={form}
        submitLabel={monitorId === null ? 'Create monitor' : 'Save'}
        savedTitle="Monitor saved"
        className="gap-5"
      >
        <Card id="monitor" title="Monitor">
          <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
            <FieldInputs fields={NAME_FIELDS} values={values} state={state} />
            <FieldInputs
              fields={{ owner: { ...OWNER_FIELDS.owner, options: owners } }}
              values={values}
              state={state}
            />
            {monitorId === null ? (
              <FieldInputs
                fields={{ project: { ...PLACE_FIELDS.project, options: projects }, slug: PLACE_FIELDS.slug }}
                values={values}
                state={state}
              />
            ) : null}
          </div>
        </Card>
        <Card id="schedule" title="Schedule">
          <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-4">
              <FieldInputs fields={TYPE_FIELDS} values={values} state={state} onChoose={enter} />
              <div hidden={isInterval}>
                <FieldInputs fields={CRONTAB_FIELDS} values={values} state={state} />
              </div>
              <div hidden={!isInterval} className={isInterval ? 'grid grid-cols-2 gap-4' : undefined}>
                <FieldInputs fields={INTERVAL_FIELDS} values={values} state={state} onChoose={enter} />
              </div>
              <FieldInputs fields={ZONE_FIELDS} values={values} state={state} />
            </div>
            <div aria-live="polite" className="min-w-0">
              <SchedulePreview schedule={scheduleOf(entered)} timeZone={entered.timeZone.trim()} now={now} />
            </div>
          </div>
        </Card>
        <Card id="limits" title="When to notify">
          <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
            <FieldInputs fields={LIMIT_FIELDS} values={values} state={state} />
          </div>
        </Card>
      </FormFrame>
    </div>
  );
}

type Entered = Record<'scheduleType' | 'schedule' | 'intervalValue' | 'intervalUnit' | 'timeZone', string>;

function scheduleOf({
  scheduleType,
  schedule,
  intervalValue,
  intervalUnit,
}: Entered): MonitorSchedule | null {
  if (scheduleType !== 'interval') {
    return schedule.trim() === '' ? null : { type: 'crontab', value: schedule.trim() };
  }
  const unit = INTERVAL_UNITS.find((each) => each === intervalUnit);
  return intervalValue.trim() === '' || unit === undefined
    ? null
    : { type: 'interval', value: Number(intervalValue.replaceAll(/[\s,']/g, '')), unit };
}
