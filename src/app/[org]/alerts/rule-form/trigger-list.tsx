'use client';

import { useId } from 'react';
import { ALERT_TRIGGERS, type AlertTrigger } from '#domain/alerts/alert-rule.ts';
import { describeTrigger } from '#product/alerts/describe-alert-rule.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { FieldProblem } from '#ui/field.tsx';
import { TRIGGER_HELP } from '../alert-labels.ts';
import type { RuleProblems } from './rule-draft.ts';

/** Triggers at an issue: one of them is enough. */
export function TriggerList({
  triggers,
  problems,
  onChange,
}: {
  triggers: readonly AlertTrigger[];
  problems: RuleProblems;
  onChange: (triggers: readonly AlertTrigger[]) => void;
}) {
  const id = useId();
  const { triggers: problem } = problems;
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend className="sr-only">Triggers</legend>
      {ALERT_TRIGGERS.map((trigger) => (
        <div key={trigger} className="flex items-start gap-3">
          <Checkbox
            id={`${id}-${trigger}`}
            checked={triggers.includes(trigger)}
            aria-invalid={problem ? true : undefined}
            aria-describedby={`${id}-${trigger}-help`}
            onChange={({ target: { checked } }) =>
              onChange(
                ALERT_TRIGGERS.filter((each) => (each === trigger ? checked : triggers.includes(each))),
              )
            }
            className="mt-0.5"
          />
          <div className="min-w-0">
            <label htmlFor={`${id}-${trigger}`} className="font-medium text-sm">
              {describeTrigger(trigger)}
            </label>
            <p id={`${id}-${trigger}-help`} className="text-text-muted text-xs">
              {TRIGGER_HELP[trigger]}
            </p>
          </div>
        </div>
      ))}
      {problem ? <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem> : null}
    </fieldset>
  );
}
