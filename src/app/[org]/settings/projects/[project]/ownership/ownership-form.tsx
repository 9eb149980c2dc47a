'use client';

import { CircleAlert, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { saveOwnershipAction } from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { OWNERSHIP_FIELDS } from '#app/[org]/settings/projects/[project]/project-fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import type { OwnershipCheck } from '#product/ownership/ownership.ts';
import type { Ownership } from '#product/ownership/ownership-store.ts';
import { Card } from '#ui/card.tsx';
import { fieldIds, Textarea } from '#ui/field.tsx';

/** Who owns what, in one form: all of it is saved or nothing, and what was typed stays. */
export function OwnershipForm({
  orgSlug,
  projectSlug,
  ownership,
  version,
  check,
  canChange,
}: {
  orgSlug: string;
  projectSlug: string;
  ownership: Ownership;
  version: number;
  /** Of what is stored: people and teams may have gone since. */
  check: OwnershipCheck;
  canChange: boolean;
}) {
  // What somebody else saves meanwhile must not count as seen.
  const [shownVersion] = useState(version);
  const form = useForm(
    saveOwnershipAction.bind(null, orgSlug, { projectSlug, version: shownVersion }),
    'Ownership rules saved',
  );
  const answered = form.state.result?.check ?? null;
  const shown = answered ?? check;
  const count = answered === null ? 0 : answered.rules.length + answered.codeowners.length;
  return (
    <FormFrame
      form={form}
      canChange={canChange}
      submitLabel="Save ownership rules"
      problems={{ count, noun: 'line' }}
      className="gap-5"
    >
      <Card id="ownership-rules" title="Ownership rules">
        <RulesArea
          name="rules"
          label="Rules, one per line"
          placeholder={'path:src/checkout/* #payments\nurl:https://shop.example/admin/* ana@example.com'}
          defaultValue={ownership.rules}
          problems={shown.rules}
          help={
            <>
              <code className="mono">path:</code> (file path; the default),{' '}
              <code className="mono">module:</code>, <code className="mono">url:</code>,{' '}
              <code className="mono">tags.name:</code> or <code className="mono">codeowners:</code> with a
              pattern, then owners: email addresses and <code className="mono">#team</code>. The last matching
              line wins; a line without owners means no owner.
            </>
          }
        />
      </Card>
      <Card id="codeowners-file" title="CODEOWNERS">
        <div className="flex flex-col gap-4">
          <RulesArea
            name="codeowners"
            label="Contents of the CODEOWNERS file in your repository"
            placeholder={'/src/checkout/ @acme/payments\n*.css @ana'}
            defaultValue={ownership.codeowners}
            problems={shown.codeowners}
            hints={shown.unknownCodeowners}
            help="Used when no ownership rule matches. @acme/payments is the team #payments; @ana is the member whose email starts with ana@ or whose name is ana. Unknown owners are ignored."
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <FieldInputs
              fields={{
                stackRoot: OWNERSHIP_FIELDS.stackRoot,
                sourceRoot: OWNERSHIP_FIELDS.sourceRoot,
              }}
              values={{ stackRoot: ownership.stackRoot, sourceRoot: ownership.sourceRoot }}
              state={form.state}
            />
          </div>
        </div>
      </Card>
      <Card id="auto-assign" title="Assignment">
        <FieldInputs
          fields={{ autoAssign: OWNERSHIP_FIELDS.autoAssign }}
          values={{ autoAssign: ownership.autoAssign }}
          state={form.state}
        />
      </Card>
    </FormFrame>
  );
}

type AreaProblem = { line: number; column: number; message: string };

const ROWS_MIN = 6;
const ROWS_MAX = 24;
const PROBLEMS_SHOWN_MAX = 20;

/** A text of rules, one a line. What is wrong with a line stands below it, and leads to the place. */
function RulesArea({
  name,
  label,
  help,
  placeholder,
  defaultValue,
  problems,
  hints = [],
}: {
  name: string;
  label: string;
  help: ReactNode;
  placeholder: string;
  defaultValue: string;
  /** With one of them nothing is saved. */
  problems: readonly AreaProblem[];
  /** What is kept, and does not do what it says. */
  hints?: readonly AreaProblem[];
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const ids = fieldIds(name);

  function goTo({ line, column }: AreaProblem) {
    const element = area.current;
    if (!element) return;
    const lines = element.value.split('\n');
    const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    element.focus();
    element.setSelectionRange(from + column - 1, from + (lines[line - 1]?.length ?? 0));
  }

  const rows = Math.min(ROWS_MAX, Math.max(ROWS_MIN, defaultValue.split('\n').length + 1));
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={name} className="font-medium text-sm text-text">
        {label}
      </label>
      <Textarea
        ref={area}
        id={name}
        name={name}
        defaultValue={defaultValue}
        placeholder={placeholder}
        rows={rows}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby={problems.length > 0 ? `${ids.error} ${ids.hint}` : ids.hint}
        className="mono text-xs"
      />
      {problems.length > 0 ? (
        <div id={ids.error} role="alert" className="text-danger text-xs">
          <ProblemList icon={<CircleAlert aria-hidden />} problems={problems} onSelect={goTo} />
        </div>
      ) : null}
      {hints.length > 0 ? (
        <div role="status" className="text-warning text-xs">
          <ProblemList icon={<TriangleAlert aria-hidden />} problems={hints} onSelect={goTo} />
        </div>
      ) : null}
      <div id={ids.hint} className="max-w-[75ch] text-text-muted text-xs">
        {help}
      </div>
    </div>
  );
}

function ProblemList({
  icon,
  problems,
  onSelect,
}: {
  icon: ReactNode;
  problems: readonly AreaProblem[];
  onSelect: (problem: AreaProblem) => void;
}) {
  return (
    <ul className="flex flex-col gap-0.5">
      {problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => (
        <li
          key={`${problem.line}:${problem.column}:${problem.message}`}
          className="flex items-start gap-1.5 [&_svg]:mt-px [&_svg]:size-3.5 [&_svg]:shrink-0"
        >
          {icon}
          <span className="break-anything">
            <button
              type="button"
              onClick={() => onSelect(problem)}
              className="rounded-sm underline underline-offset-2"
            >
              Line {problem.line}
            </button>
            : {problem.message}
          </span>
        </li>
      ))}
      {problems.length > PROBLEMS_SHOWN_MAX ? <li>and {problems.length - PROBLEMS_SHOWN_MAX} more</li> : null}
    </ul>
  );
}
