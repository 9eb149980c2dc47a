'use client';

import { CircleAlert } from 'lucide-react';
import { useRef, useState, useTransition } from 'react';
import type { Answer } from '#app/forms/submit-form.ts';
import type { RegroupPreview } from '#product/grouping/describe-preview.ts';
import type { GroupingRuleTexts } from '#product/grouping/grouping-change.ts';
import type { RuleProblem, RuleProblems } from '#product/grouping/grouping-rules.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { fieldIds, Textarea } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { applyRulesAction, previewRulesAction } from './actions.ts';
import { PreviewPanel } from './preview-panel.tsx';

const PERIODS = [
  { value: '1', label: 'Last 24 hours' },
  { value: '14', label: 'Last 14 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
] as const;
const NO_PROBLEMS: RuleProblems = { fingerprint: [], stackTrace: [] };

type Work = 'preview' | 'new' | 'history';

/** Both texts, what they would do to stored events, and the two ways to let them count. */
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
  /** The former version whose texts are shown; null for those that count. */
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

  const apply = (to: 'new' | 'history') =>
    run(to, async () => {
      const answer = await applyRulesAction(orgSlug, {
        projectSlug,
        texts,
        to,
        basedOn: activeVersion,
        restore: isEdited ? null : restored,
      });
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
        <RulesField
          id="fingerprint-rules"
          label="Fingerprint rules"
          placeholder={
            'error.type:DatabaseUnavailable -> system-down\nmessage:"timeout *" -> timeout, {{ transaction }}'
          }
          hint="One rule per line: what an event must match, an arrow, and the fingerprint to group it by. The first matching rule applies."
          value={texts.fingerprint}
          problems={problems.fingerprint}
          isReadOnly={!canChange}
          onChange={(fingerprint) => change({ fingerprint })}
        />
        <RulesField
          id="stack-trace-rules"
          label="Stack trace rules"
          placeholder={'stack.module:com.example.* +app\nstack.function:panic_handler ^-group'}
          hint="One rule per line: which frames to match, and whether they are in app (+app, -app) or used for grouping (+group, -group)."
          value={texts.stackTrace}
          problems={problems.stackTrace}
          isReadOnly={!canChange}
          onChange={(stackTrace) => change({ stackTrace })}
        />
        {error ? (
          <Notice tone="danger" title="Nothing was changed">
            {error}
          </Notice>
        ) : null}
        {canChange ? (
          <div className="flex flex-wrap items-center gap-2">
            <Select label="Period" value={days} options={PERIODS} onValueChange={setDays} />
            <Button disabled={isPending} onClick={look}>
              {work === 'preview' ? 'Checking stored events…' : 'Preview'}
            </Button>
            <span className="flex-1" />
            <Button disabled={isDisabled} onClick={() => apply('new')}>
              {work === 'new' ? 'Saving…' : 'Apply to new events'}
            </Button>
            <Button variant="primary" disabled={isDisabled} onClick={() => apply('history')}>
              {work === 'history' ? 'Starting…' : 'Apply to history'}
            </Button>
          </div>
        ) : (
          <p className="text-sm text-text-muted">Ask an admin to change the rules.</p>
        )}
        {preview ? <PreviewPanel orgSlug={orgSlug} preview={preview} /> : null}
      </div>
    </Card>
  );
}

const ROWS = { min: 5, max: 20 } as const;
const PROBLEMS_SHOWN_MAX = 10;

/** A text of rules. What is wrong with a line stands below it, and leads to the place. */
function RulesField({
  id,
  label,
  hint,
  placeholder,
  value,
  problems,
  isReadOnly,
  onChange,
}: {
  id: string;
  label: string;
  hint: string;
  placeholder: string;
  value: string;
  problems: readonly RuleProblem[];
  isReadOnly: boolean;
  onChange: (text: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const ids = fieldIds(id);
  const lines = value.split('\n');

  function goTo({ line, column }: RuleProblem) {
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(before + column - 1, before + (lines[line - 1]?.length ?? 0));
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <Textarea
        ref={area}
        id={id}
        value={value}
        placeholder={placeholder}
        rows={Math.min(ROWS.max, Math.max(ROWS.min, lines.length + 1))}
        readOnly={isReadOnly}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby={problems.length > 0 ? `${ids.error} ${ids.hint}` : ids.hint}
        onChange={(event) => onChange(event.target.value)}
        className="mono text-xs"
      />
      {problems.length > 0 ? (
        <div id={ids.error} role="alert" className="text-danger text-xs">
          <ul className="flex flex-col gap-0.5">
            {problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => (
              <li key={`${problem.line} ${problem.column}`} className="flex items-start gap-1.5">
                <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
                <span className="break-anything">
                  <button
                    type="button"
                    onClick={() => goTo(problem)}
                    className="rounded-sm underline underline-offset-2"
                  >
                    Line {problem.line}, character {problem.column}
                  </button>
                  : {problem.message}
                </span>
              </li>
            ))}
            {problems.length > PROBLEMS_SHOWN_MAX ? (
              <li>and {problems.length - PROBLEMS_SHOWN_MAX} more</li>
            ) : null}
          </ul>
        </div>
      ) : null}
      <p id={ids.hint} className="max-w-[75ch] text-text-muted text-xs">
        {hint}
      </p>
    </div>
  );
}
