'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useRef, useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { FilterList } from './filter-list.tsx';
import type { FormOptions } from './form-options.ts';
import { MeasureFields, ThresholdFields } from './metric-fields.tsx';
import { PreviewCard } from './preview-card.tsx';
import { ReceiverList } from './receiver-list.tsx';
import { saveRuleAction } from './rule-actions.ts';
import {
  type IssueDraft,
  type MetricDraft,
  type RuleDraft,
  type RuleProblems,
  readDraft,
} from './rule-draft.ts';
import { TriggerList } from './trigger-list.tsx';
import { OwnerField, WhereFields } from './where-fields.tsx';
import { windowOptions } from './window-options.ts';

const FREQUENCIES_MINUTES = [5, 10, 30, 60, 180, 720, 1_440, 10_080, 43_200];
const NAME_CHARACTERS_MAX = 256;

type Failure = { problems: RuleProblems; error: string | null };
const NO_FAILURE: Failure = { problems: {}, error: null };

/** A rule as sentences that can be changed, beside what it would have done lately. */
export function RuleForm({
  organizationSlug,
  projects,
  projectSlug,
  ruleId,
  initial,
  options,
}: {
  organizationSlug: string;
  /** Among which a new rule chooses its own. */
  projects: readonly { slug: string; name: string }[];
  projectSlug: string;
  /** null for a new rule. */
  ruleId: number | null;
  initial: RuleDraft;
  options: FormOptions;
}) {
  const router = useRouter();
  const [draft, setDraft] = useState(initial);
  const [failure, setFailure] = useState(NO_FAILURE);
  const [isPending, startTransition] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, failure);
  const { problems } = failure;
  const place = { organizationSlug, projectSlug };

  const change = (part: Partial<IssueDraft> | Partial<MetricDraft>) =>
    setDraft((before) => ({ ...before, ...part }) as RuleDraft);

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
      showToast({ title: ruleId === null ? `Rule created: ${read.input.name}` : 'Rule saved' });
      router.push(`/${organizationSlug}/alerts/${result.ruleId}`);
    });
  }

  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(320px,26rem)]">
      <form ref={form} onSubmit={save} noValidate className="flex min-w-0 flex-col gap-5">
        <Card id="rule-where" title="Where">
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
            <Card id="rule-when" title="When one of these happens">
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
        <Card id="rule-then" title="Then tell">
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
                <span>at most once in</span>
                <Select
                  label="At most once in"
                  value={String(draft.frequencyMinutes)}
                  options={windowOptions(draft.frequencyMinutes, FREQUENCIES_MINUTES)}
                  onValueChange={(minutes) => change({ frequencyMinutes: Number(minutes) })}
                />
                <span>for each issue</span>
              </div>
            ) : (
              <p className="text-sm text-text-muted">
                They hear of it when it becomes a warning or critical, and when it is OK again.
              </p>
            )}
          </div>
        </Card>
        <Card id="rule-name" title="Name and owner">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Name of the rule"
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
              error={problems.name}
              maxLength={NAME_CHARACTERS_MAX}
              autoComplete="off"
            />
            <OwnerField options={options} owner={draft.owner} onChange={(owner) => change({ owner })} />
          </div>
        </Card>
        {failure.error ? (
          <Notice tone="danger" title="Not saved">
            {failure.error}
          </Notice>
        ) : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" disabled={isPending}>
            {isPending ? 'Saving…' : ruleId === null ? 'Create rule' : 'Save rule'}
          </Button>
          <ButtonLink
            variant="ghost"
            href={ruleId === null ? `/${organizationSlug}/alerts` : `/${organizationSlug}/alerts/${ruleId}`}
          >
            Cancel
          </ButtonLink>
        </div>
      </form>
      <PreviewCard place={place} draft={draft} onChange={change} />
    </div>
  );
}
