'use client';

import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import type { FormValues } from '#app/forms/fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import { Card } from '#ui/card.tsx';
import { createMonitorAction, updateMonitorAction } from '../actions.ts';
import { type EnteredSchedule, enteredScheduleOf, readEnteredSchedule } from './entered-schedule.ts';
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

type Values = FormValues<typeof MONITOR_FIELDS.created>;
type Options = readonly { value: string; label: string }[];

const SchedulePreview = lazy(async () => ({
  default: (await import('./schedule-preview.tsx')).SchedulePreview,
}));

/** A monitor with a preview of its next runs; without an id, a new one. */
export function MonitorForm({
  organizationSlug,
  monitorId,
  values,
  projects,
  owners,
  preview,
  now,
}: {
  organizationSlug: string;
  monitorId: number | null;
  values: Values;
  projects: Options;
  owners: Options;
  /** The next runs of the schedule in `values`, until another is entered. */
  preview: ReactNode;
  now: number;
}) {
  const form = useForm(
    monitorId === null
      ? createMonitorAction.bind(null, organizationSlug, {})
      : updateMonitorAction.bind(null, organizationSlug, { monitorId }),
  );
  const [entered, setEntered] = useState<EnteredSchedule | null>(null);
  const initial = enteredScheduleOf(values);
  const enter = (name: string, value: string) => {
    if (name in initial) setEntered((before) => ({ ...(before ?? initial), [name]: value }));
  };
  const { state } = form;
  const isInterval = (entered ?? initial).scheduleType === 'interval';
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
              {entered === null ? (
                preview
              ) : (
                <Suspense fallback={preview}>
                  <SchedulePreview {...readEnteredSchedule(entered)} now={now} />
                </Suspense>
              )}
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
