'use client';

import { useRef, useState, useTransition } from 'react';
import type { FormValues } from '#app/forms/fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { saveUptimeMonitorAction, tryUptimeCheckAction } from './actions.ts';
import { type TriedCheck, TryResult } from './try-result.tsx';
import {
  DETAIL_FIELDS,
  EXPECTATION_FIELDS,
  INCIDENT_FIELDS,
  REQUEST_FIELDS,
  type UptimeFields,
} from './uptime-fields.ts';

type Options = readonly { value: string; label: string }[];
type Tried = { check: TriedCheck } | { refusal: string };

/** A monitor; without an ID a form for a new one. What it would find can be tried before it is saved. */
export function UptimeForm({
  organizationSlug,
  monitorId,
  values,
  projects,
  owners,
}: {
  organizationSlug: string;
  monitorId: number | null;
  values: FormValues<UptimeFields>;
  /** Only the one that it has for a monitor that exists. */
  projects: Options;
  owners: Options;
}) {
  const form = useForm(saveUptimeMonitorAction.bind(null, organizationSlug, { monitorId }));
  const tryButton = useRef<HTMLButtonElement>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const [isTrying, startTrying] = useTransition();

  function tryNow() {
    const element = tryButton.current?.form;
    if (!element) return;
    const sent = [...new FormData(element)].flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !name.startsWith('$') ? [[name, value]] : [],
    );
    startTrying(async () => {
      const answer = await tryUptimeCheckAction(organizationSlug, { monitorId, values: sent });
      setTried(answer.ok ? { check: answer.value } : { refusal: answer.message });
    });
  }

  const inputs = { values, state: form.state };
  return (
    <FormFrame
      form={form}
      submitLabel={monitorId === null ? 'Create monitor' : 'Save'}
      savedTitle="Monitor saved"
      className="gap-5"
    >
      <Card id="request" title="What to check">
        <div className="grid gap-4 sm:grid-cols-2">
          <FieldInputs
            {...inputs}
            fields={{ ...REQUEST_FIELDS, projectSlug: { ...REQUEST_FIELDS.projectSlug, options: projects } }}
          />
        </div>
      </Card>
      <Card id="expectations" title="What to expect">
        <div className="grid gap-4 sm:grid-cols-2">
          <FieldInputs {...inputs} fields={EXPECTATION_FIELDS} className="[&:has(textarea)]:col-span-full" />
        </div>
      </Card>
      <Card id="details" title="Request">
        <div className="grid gap-4 sm:grid-cols-2">
          <FieldInputs {...inputs} fields={DETAIL_FIELDS} className="[&:has(textarea)]:col-span-full" />
        </div>
      </Card>
      <Card id="incidents" title="Incidents">
        <div className="grid gap-4 sm:grid-cols-2">
          <FieldInputs
            {...inputs}
            fields={{ ...INCIDENT_FIELDS, owner: { ...INCIDENT_FIELDS.owner, options: owners } }}
            className="[&:has(textarea)]:col-span-full"
          />
        </div>
      </Card>
      <Card
        id="try"
        title="Try it"
        actions={
          <Button ref={tryButton} size="sm" isPending={isTrying} onClick={tryNow}>
            Run the check once now
          </Button>
        }
      >
        <div aria-live="polite">
          {tried === null ? (
            <p className="text-sm text-text-muted">
              Sends one request as the form stands, and shows what it finds. Nothing is saved.
            </p>
          ) : 'refusal' in tried ? (
            <Notice tone="danger" title="The check was not run">
              {tried.refusal}
            </Notice>
          ) : (
            <TryResult check={tried.check} />
          )}
        </div>
      </Card>
    </FormFrame>
  );
}
