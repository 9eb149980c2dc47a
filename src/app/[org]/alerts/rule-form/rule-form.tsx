'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useId, useRef, useState, useTransition } from 'react';
import { saveRuleAction } from '#app/[org]/alerts/actions.ts';
import { describeProblems } from '#app/forms/form-frame.tsx';
import { SaveRow } from '#app/forms/save-row.tsx';
import { ALERT_TRIGGERS } from '#domain/alerts/alert-kinds.ts';
import type { AlertTrigger } from '#domain/alerts/alert-rule.ts';
import { routesOf } from '#product/alerts/delivery-health.ts';
import { describeTrigger } from '#product/alerts/describe-alert-rule.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CheckboxField } from '#ui/checkbox.tsx';
import { FieldProblem, TextField } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { TRIGGER_HELP } from '../alert-labels.ts';
import { TestButton } from '../test-button.tsx';
import { FilterList } from './filter-list.tsx';
import { type FormOptions, windowOptions } from './form-options.ts';
import { MeasureFields, ThresholdFields } from './metric-fields.tsx';
import { PreviewCard } from './preview-card.tsx';
import { ReceiverList } from './receiver-list.tsx';
import {
  type IssueDraft,
  type MetricDraft,
  type RuleDraft,
  type RuleProblems,
  readDraft,
  withoutThoseOf,
} from './rule-draft.ts';
import { OwnerField, WhereFields } from './where-fields.tsx';

const FREQUENCIES_MINUTES = [5, 10, 30, 60, 180, 720, 1_440, 10_080, 43_200];
const NAME_CHARACTERS_MAX = 256;

type Failure = { problems: RuleProblems; error: string | null };
const NO_FAILURE: Failure = { problems: {}, error: null };

/** Edits a rule next to a preview of how often it would have triggered. */
export function RuleForm({
  organizationSlug,
  projects,
  projectSlug,
  ruleId,
  initial,
  options,
}: {
  organizationSlug: string;
  /** The choices for a new rule. */
  projects: readonly { slug: string; name: string }[];
  projectSlug: string;
  ruleId: number | null;
  initial: RuleDraft;
  options: FormOptions;
}) {
  const router = useRouter();
  const [draft, setDraft] = useState(initial);
  const [failure, setFailure] = useState(NO_FAILURE);
  const [isSaved, setIsSaved] = useState(false);
  const [isPending, startTransition] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, failure);
  const { problems } = failure;
  const place = { organizationSlug, projectSlug };

  function change(part: Partial<IssueDraft> | Partial<MetricDraft>): void {
    setDraft((before) => ({ ...before, ...part }) as RuleDraft);
    setFailure(({ problems }) => ({ problems: withoutThoseOf(problems, part), error: null }));
  }

  function save(event: FormEvent) {
    event.preventDefault();
    const read = readDraft(draft);
    if (!read.ok) {
      setFailure({ problems: read.problems, error: null });
      return;
    }
    startTransition(async () => {
      const result = await saveRuleAction({
        orgSlug: organizationSlug,
        projectSlug,
        ruleId,
        input: read.input,
      });
      if (!result.ok) {
        setFailure(result);
        return;
      }
      setFailure(NO_FAILURE);
      setIsSaved(true);
      showToast({ title: ruleId === null ? `Rule created: ${read.input.name}` : 'Rule saved' });
      router.push(`/${organizationSlug}/alerts/${result.ruleId}`);
    });
  }

  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(320px,26rem)]">
      <form ref={form} onSubmit={save} noValidate className="flex min-w-0 flex-col gap-5">
        <Card id="rule-where" title="Project and environment">
          <WhereFields
            organizationSlug={organizationSlug}
            projects={projects}
            projectSlug={projectSlug}
            isNew={ruleId === null}
            environment={draft.environment}
            environments={options.environments}
            onChange={change}
          />
        </Card>
        {draft.kind === 'issue' ? (
          <>
            <Card id="rule-when" title="When any of these happen">
              <TriggerList
                triggers={draft.triggers}
                problems={problems}
                onChange={(triggers) => change({ triggers })}
              />
            </Card>
            <Card id="rule-if" title="If">
              <FilterList
                place={place}
                options={options}
                filters={draft.filters}
                filterMatch={draft.filterMatch}
                problems={problems}
                onChange={change}
              />
            </Card>
          </>
        ) : (
          <Card id="rule-when" title="When">
            <div className="flex flex-col gap-5">
              <MeasureFields place={place} draft={draft} problems={problems} onChange={change} />
              <ThresholdFields draft={draft} problems={problems} onChange={change} />
            </div>
          </Card>
        )}
        <Card id="rule-then" title="Then notify">
          <div className="flex flex-col gap-4">
            <ReceiverList
              organizationSlug={organizationSlug}
              ruleKind={draft.kind}
              options={options}
              receivers={draft.receivers}
              problem={problems.receivers}
              onChange={(receivers) => change({ receivers })}
            />
            {draft.kind === 'issue' ? (
              <div className="flex flex-wrap items-center gap-2 text-sm">
                <span>At most once in</span>
                <Select
                  label="At most once in"
                  value={String(draft.frequencyMinutes)}
                  options={windowOptions(draft.frequencyMinutes, FREQUENCIES_MINUTES)}
                  onValueChange={(minutes) => change({ frequencyMinutes: Number(minutes) })}
                />
                <span>per issue</span>
              </div>
            ) : (
              <p className="text-sm text-text-muted">
                Sent when the state becomes warning or critical, and when it is resolved.
              </p>
            )}
            {draft.receivers.length > 0 ? (
              <TestButton
                organizationSlug={organizationSlug}
                routes={routesOf(draft.receivers)}
                destinations={options.destinations}
              />
            ) : null}
          </div>
        </Card>
        <Card id="rule-name" title="Name and owner">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Rule name"
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
              error={problems.name}
              maxLength={NAME_CHARACTERS_MAX}
              autoComplete="off"
            />
            <OwnerField options={options} owner={draft.owner} onChange={(owner) => change({ owner })} />
          </div>
        </Card>
        <SaveRow
          label={ruleId === null ? 'Create rule' : 'Save rule'}
          isPending={isPending}
          isChanged={!isSaved && JSON.stringify(draft) !== JSON.stringify(initial)}
          failure={failure.error ?? describeProblems(Object.keys(problems).length, 'field')}
          saved={isSaved ? 'Rule saved.' : null}
        >
          <ButtonLink
            variant="ghost"
            href={ruleId === null ? `/${organizationSlug}/alerts` : `/${organizationSlug}/alerts/${ruleId}`}
          >
            Cancel
          </ButtonLink>
        </SaveRow>
      </form>
      <PreviewCard place={place} draft={draft} onChange={change} />
    </div>
  );
}

/** Triggers at an issue: one of them is enough. */
function TriggerList({
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
        <CheckboxField
          key={trigger}
          id={`${id}-${trigger}`}
          label={describeTrigger(trigger)}
          help={TRIGGER_HELP[trigger]}
          checked={triggers.includes(trigger)}
          aria-invalid={problem ? true : undefined}
          onChange={({ target: { checked } }) =>
            onChange(ALERT_TRIGGERS.filter((each) => (each === trigger ? checked : triggers.includes(each))))
          }
        />
      ))}
      {problem ? <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem> : null}
    </fieldset>
  );
}
