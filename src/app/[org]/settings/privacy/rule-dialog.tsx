'use client';

import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import type { PrivacyProblem } from '#product/privacy/check-privacy.ts';
import { RULE_METHOD_LABELS, RULE_TYPE_LABELS } from '#product/privacy/rule-catalogue.ts';
import type { AdvancedRule } from '#protocol/ingest-settings.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field, fieldIds, Input, TextField } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import type { EditedRule } from './edited-privacy.ts';

const METHODS = RULE_METHOD_LABELS.map(({ id, name, help }) => ({ value: id, label: name, hint: help }));
const TYPES = RULE_TYPE_LABELS.map(({ id, name, help }) => ({
  value: id as string,
  label: name,
  hint: help,
}));

const PLACES = [
  '$string',
  '**',
  '$message',
  '$error.value',
  '$user.email',
  '$user.ip_address',
  '$http.headers.x-custom-token',
  '$http.data.**',
  '$http.url',
  '$frame.vars.**',
  '$breadcrumb.message',
  '$breadcrumb.data.**',
  '$log.body',
  '$span.data.**',
  'extra.**',
  'tags.server_name',
  'contexts.device.timezone',
] as const;

/** Edits one rule. Applying it changes the list in the form; nothing is saved yet. */
export function RuleDialog({
  rule,
  title,
  problems,
  onClose,
  onKeep,
}: {
  rule: EditedRule;
  title: string;
  problems: readonly PrivacyProblem[];
  onClose: () => void;
  onKeep: (rule: EditedRule) => void;
}) {
  const [edited, setEdited] = useState(rule);
  const placesId = useId();
  const change = (part: Partial<AdvancedRule>) => setEdited((current) => ({ ...current, ...part }));
  /** Hides the problem of a part that was edited since the check. */
  function problemOf(part: keyof AdvancedRule): ReactNode {
    const problem = problems.find((each) => each.part === part);
    return problem && rule[part] === edited[part] ? (
      <Problem problem={problem} text={edited[part] ?? ''} />
    ) : null;
  }

  function keep() {
    onKeep({
      ...edited,
      pattern: edited.type === 'pattern' ? (edited.pattern ?? '') : null,
      placeholder: edited.method === 'replace' ? edited.placeholder || null : null,
      selector: edited.selector.trim(),
    });
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={title}
      description="Preview it on a stored event, then save the page."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={keep}
            disabled={edited.selector.trim() === '' || (edited.type === 'pattern' && !edited.pattern)}
          >
            Apply rule
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field id="rule-method" label="Method">
            <Select
              id="rule-method"
              look="field"
              options={METHODS}
              value={edited.method}
              onValueChange={(method) => change({ method })}
            />
          </Field>
          <Field id="rule-type" label="Data type">
            <Select
              id="rule-type"
              look="field"
              options={TYPES}
              value={edited.type}
              onValueChange={(type) => change({ type })}
            />
          </Field>
        </div>
        {edited.type === 'pattern' ? (
          <CodeField
            id="rule-pattern"
            label="Regular expression"
            hint="Rust or Go syntax: start with (?i) to ignore case; lookaround and backreferences are not supported. Up to 500 characters."
            value={edited.pattern ?? ''}
            onChange={(event) => change({ pattern: event.target.value })}
            error={problemOf('pattern')}
            placeholder="cus_[a-z0-9]{8,}"
          />
        ) : null}
        {edited.method === 'replace' ? (
          <TextField
            id="rule-placeholder"
            label="Placeholder"
            hint="Replaces the match. Leave empty to use a label for the type of data, such as [email]."
            value={edited.placeholder ?? ''}
            onChange={(event) => change({ placeholder: event.target.value })}
            error={problemOf('placeholder')}
            maxLength={100}
            autoComplete="off"
          />
        ) : null}
        <div>
          <CodeField
            id="rule-selector"
            label="Source"
            list={placesId}
            hint={
              <>
                Where to look: a path such as <code className="mono">extra.'my key'</code>, a type such as{' '}
                <code className="mono">$user.email</code> or <code className="mono">$string</code>,{' '}
                <code className="mono">**</code> for everything that may be private. Combine them with{' '}
                <code className="mono">&amp;&amp;</code>, <code className="mono">||</code> and{' '}
                <code className="mono">!</code>. Not case-sensitive.
              </>
            }
            value={edited.selector}
            onChange={(event) => change({ selector: event.target.value })}
            error={problemOf('selector')}
          />
          <datalist id={placesId}>
            {PLACES.map((place) => (
              <option key={place} value={place} />
            ))}
          </datalist>
        </div>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

/** A text field whose value is in the mono font. */
function CodeField({
  id,
  label,
  hint,
  error,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'children'> & {
  id: string;
  label: string;
  hint: ReactNode;
  error: ReactNode;
}) {
  const ids = fieldIds(id);
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Input
        id={id}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${ids.error} ${ids.hint}` : ids.hint}
        className="mono"
        {...input}
      />
    </Field>
  );
}

/** A problem, with the character it is about highlighted. */
function Problem({ problem, text }: { problem: PrivacyProblem; text: string }) {
  return (
    <>
      {problem.message}.
      {problem.position === null || text === '' ? null : (
        <span aria-hidden className="mono mt-0.5 block overflow-x-auto whitespace-pre text-text-muted">
          {text.slice(0, problem.position)}
          <span className="bg-danger-soft text-danger">{text[problem.position] ?? '⌷'}</span>
          {text.slice(problem.position + 1)}
        </span>
      )}
    </>
  );
}
