'use client';

import { useState, useTransition } from 'react';
import { describeProblems } from '#app/forms/form-frame.tsx';
import { LeaveGuard } from '#app/forms/leave-guard.tsx';
import { LinesField } from '#app/forms/lines-field.tsx';
import { SaveStatus } from '#app/forms/save-row.tsx';
import type { Answer } from '#app/forms/submit-form.ts';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import type { RegroupPreview } from '#product/grouping/describe-preview.ts';
import type { GroupingRuleTexts } from '#product/grouping/grouping-change.ts';
import type { RuleProblems } from '#product/grouping/grouping-rules.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { applyRulesAction, previewRulesAction } from './actions.ts';
import { historyLabel } from './history-label.ts';
import { PreviewPanel } from './preview-panel.tsx';

const PERIODS = [
  { value: '1', label: 'Last 24 hours' },
  { value: '14', label: 'Last 14 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
] as const;
/** As far back as a preview looks. */
const HISTORY_DAYS = 90;
const NO_PROBLEMS: RuleProblems = { fingerprint: [], stackTrace: [] };

const RULES_FIELD = { namesColumns: true, wrap: 'off', rows: [5, 20] } as const;

type Work = 'preview' | 'new' | 'history';

/** Edits both rule sets, previews them on stored events, and applies them to new events or to history. */
export function RulesEditor({
  orgSlug,
  projectSlug,
  activeVersion,
  restored,
  texts: given,
  canChange,
  isBusy,
}: {
  orgSlug: string;
  projectSlug: string;
  activeVersion: number;
  /** The earlier version that is shown; null for the active one. */
  restored: number | null;
  texts: GroupingRuleTexts;
  canChange: boolean;
  /** While stored events are being regrouped nothing can be applied. */
  isBusy: boolean;
}) {
  const [texts, setTexts] = useState(given);
  const [days, setDays] = useState('14');
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [error, setError] = useState<string | null>(null);
  const [preview, setPreview] = useState<RegroupPreview | null>(null);
  const [asked, setAsked] = useState<RegroupPreview | null>(null);
  const [work, setWork] = useState<Work | null>(null);
  const [isPending, start] = useTransition();
  const isEdited = texts.fingerprint !== given.fingerprint || texts.stackTrace !== given.stackTrace;

  function change(part: Partial<GroupingRuleTexts>) {
    setTexts({ ...texts, ...part });
    setPreview(null);
  }

  function run(kind: Work, act: () => Promise<Answer<{ problems: RuleProblems | null }>>) {
    setWork(kind);
    start(async () => {
      const answer = await act();
      setProblems((answer.ok && answer.value.problems) || NO_PROBLEMS);
      setError(answer.ok ? null : `${answer.message}.`);
      setWork(null);
    });
  }

  const look = () =>
    run('preview', async () => {
      const answer = await previewRulesAction(orgSlug, { projectSlug, texts, days: Number(days) });
      setPreview(answer.ok ? answer.value.preview : null);
      return answer;
    });

  /** What changes is counted before anything does. */
  const askHistory = () =>
    run('history', async () => {
      const answer = await previewRulesAction(orgSlug, { projectSlug, texts, days: HISTORY_DAYS });
      setAsked(answer.ok ? answer.value.preview : null);
      return answer;
    });

  const apply = (to: 'new' | 'history') =>
    run(to, async () => {
      const answer = await applyRulesAction(orgSlug, {
        projectSlug,
        texts,
        to,
        basedOn: activeVersion,
        restore: isEdited ? null : restored,
      });
      setAsked(null);
      if (answer.ok && answer.value.problems === null) {
        setPreview(null);
        if (to === 'new') showToast({ title: 'Rules now apply to new events' });
      }
      return answer;
    });

  const isDisabled = isPending || isBusy;
  return (
    <Card id="rules" title={restored === null ? 'Rules' : `Rules from version ${restored}`}>
      <div className="flex flex-col gap-5">
        <LinesField
          id="fingerprint-rules"
          label="Fingerprint rules"
          placeholder={
            'error.type:DatabaseUnavailable -> system-down\nmessage:"timeout *" -> timeout, {{ transaction }}'
          }
          help="One rule per line: what an event must match, an arrow, and the fingerprint to group it by. The first matching rule applies."
          value={texts.fingerprint}
          problems={problems.fingerprint}
          {...RULES_FIELD}
          readOnly={!canChange}
          onChange={(event) => change({ fingerprint: event.target.value })}
        />
        <LinesField
          id="stack-trace-rules"
          label="Stack trace rules"
          placeholder={'stack.module:com.example.* +app\nstack.function:panic_handler ^-group'}
          help="One rule per line: which frames to match, and whether they are in app (+app, -app) or used for grouping (+group, -group)."
          value={texts.stackTrace}
          problems={problems.stackTrace}
          {...RULES_FIELD}
          readOnly={!canChange}
          onChange={(event) => change({ stackTrace: event.target.value })}
        />
        {error ? (
          <Notice tone="danger" title="Nothing was changed">
            {error}
          </Notice>
        ) : null}
        {canChange ? (
          <div className="flex flex-wrap items-center gap-2">
            <Select label="Period" value={days} options={PERIODS} onValueChange={setDays} />
            <Button disabled={isPending} isPending={work === 'preview'} onClick={look}>
              {work === 'preview' ? 'Checking stored events…' : 'Preview'}
            </Button>
            <div className="flex-1">
              <SaveStatus
                isPending={isPending}
                isChanged={isEdited}
                failure={describeProblems(problems.fingerprint.length + problems.stackTrace.length, 'line')}
                saved={null}
              />
            </div>
            <Button disabled={isDisabled} isPending={work === 'new'} onClick={() => apply('new')}>
              {work === 'new' ? 'Saving…' : 'Apply to new events'}
            </Button>
            <Button
              variant="primary"
              disabled={isDisabled}
              isPending={work === 'history'}
              onClick={askHistory}
            >
              {work === 'history' ? 'Checking stored events…' : 'Apply to history…'}
            </Button>
          </div>
        ) : (
          <p className="text-sm text-text-muted">Ask an admin to change the rules.</p>
        )}
        <LeaveGuard isChanged={isEdited && !isPending} />
        {preview ? <PreviewPanel orgSlug={orgSlug} preview={preview} /> : null}
      </div>
      {asked ? (
        <FormDialog
          title="Apply these rules to history?"
          description={historyLabel(asked)}
          submitLabel={isPending ? 'Starting…' : 'Apply to history'}
          isPending={isPending}
          onSubmit={() => apply('history')}
          onClose={() => setAsked(null)}
        >
          <p className="text-sm">
            Stored events are regrouped in the background. New events follow these rules once that is done,
            and you can undo it for 30 days.
          </p>
        </FormDialog>
      ) : null}
    </Card>
  );
}
