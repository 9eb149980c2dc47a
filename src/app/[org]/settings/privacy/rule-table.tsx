'use client';

import { ArrowDown, ArrowUp, CircleAlert, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PrivacyProblem } from '#product/privacy/check-privacy.ts';
import { RULE_METHOD_LABELS, RULE_TYPE_LABELS } from '#product/privacy/rule-catalogue.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { type EditedRule, moveRule } from './edited-privacy.ts';
import { RuleDialog } from './rule-dialog.tsx';

const COLUMNS = 'sm:grid-cols-[1.5rem_5.5rem_minmax(0,11rem)_minmax(0,1fr)_auto]';

export function RuleTable({
  rules,
  onChange,
  problems,
  hits,
  canChange,
}: {
  rules: readonly EditedRule[];
  onChange: (rules: readonly EditedRule[]) => void;
  problems: readonly PrivacyProblem[];
  /** How many values each rule changed in the preview; null without one. */
  hits: readonly number[] | null;
  canChange: boolean;
}) {
  const [open, setOpen] = useState<EditedRule | null>(null);

  function keep(rule: EditedRule) {
    const isNew = !rules.some(({ key }) => key === rule.key);
    onChange(isNew ? [...rules, rule] : rules.map((each) => (each.key === rule.key ? rule : each)));
    setOpen(null);
  }

  const openIndex = open === null ? -1 : rules.findIndex(({ key }) => key === open.key);
  return (
    <Card
      flush
      id="rules"
      title="Advanced rules"
      actions={
        canChange ? (
          <Button size="sm" onClick={() => setOpen(newRule(rules))}>
            <Plus aria-hidden className="size-3.5" />
            Add rule
          </Button>
        ) : null
      }
    >
      {rules.length === 0 ? (
        <p className="px-4 py-5 text-sm text-text-muted">
          No rules yet. A rule defines what to look for, where, and what to do with it. For example, mask
          email addresses in <code className="mono text-xs">$breadcrumb.message</code>.
        </p>
      ) : (
        <>
          <div
            aria-hidden
            className={`hidden gap-x-3 border-b px-4 py-2 font-medium text-text-muted text-xs sm:grid ${COLUMNS}`}
          >
            <span>#</span>
            <span>Method</span>
            <span>Data type</span>
            <span>Source</span>
            <span className="w-32" />
          </div>
          <ol>
            {rules.map((rule, index) => (
              <RuleRow
                key={rule.key}
                rule={rule}
                index={index}
                count={rules.length}
                problems={problems.filter((problem) => problem.index === index)}
                hits={hits?.[index] ?? null}
                canChange={canChange}
                onMove={(to) => onChange(moveRule(rules, index, to))}
                onEdit={() => setOpen(rule)}
                onDelete={() => onChange(rules.filter((_, place) => place !== index))}
              />
            ))}
          </ol>
        </>
      )}
      {open ? (
        <RuleDialog
          rule={open}
          title={openIndex < 0 ? 'New rule' : `Rule ${openIndex + 1}`}
          problems={problems.filter(({ index }) => index === openIndex)}
          onClose={() => setOpen(null)}
          onKeep={keep}
        />
      ) : null}
    </Card>
  );
}

function RuleRow({
  rule,
  index,
  count,
  problems,
  hits,
  canChange,
  onMove,
  onEdit,
  onDelete,
}: {
  rule: EditedRule;
  index: number;
  count: number;
  problems: readonly PrivacyProblem[];
  hits: number | null;
  canChange: boolean;
  onMove: (to: number) => void;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const name = `rule ${index + 1}`;
  const method = RULE_METHOD_LABELS.find(({ id }) => id === rule.method)?.name ?? rule.method;
  const type = RULE_TYPE_LABELS.find(({ id }) => id === rule.type)?.name ?? rule.type;
  const icon = { variant: 'ghost', size: 'sm', iconOnly: true } as const;
  return (
    <li className="border-b px-4 py-2.5 last:border-b-0">
      <div
        className={`grid grid-cols-[1.5rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 sm:items-center ${COLUMNS}`}
      >
        <span className="numbers row-span-3 text-text-faint text-xs leading-5 sm:row-span-1">
          {index + 1}
        </span>
        <span className="font-medium text-sm">
          {method}
          {rule.placeholder ? (
            <>
              {' '}
              <span className="sr-only">with</span>
              <bdi className="mono break-anything font-normal text-text-muted text-xs">
                {rule.placeholder}
              </bdi>
            </>
          ) : null}
        </span>
        <span className="min-w-0 text-sm">
          {type}
          {rule.pattern ? (
            <bdi className="mono break-anything block text-text-muted text-xs">{rule.pattern}</bdi>
          ) : null}
        </span>
        <span className="min-w-0">
          <span className="text-text-muted text-xs sm:sr-only">in </span>
          <bdi className="mono break-anything text-xs">{rule.selector}</bdi>
        </span>
        {canChange ? (
          <span className="col-start-2 flex gap-0.5 sm:col-start-auto">
            <Button
              {...icon}
              aria-label={`Move ${name} up`}
              disabled={index === 0}
              onClick={() => onMove(index - 1)}
            >
              <ArrowUp aria-hidden className="size-3.5" />
            </Button>
            <Button
              {...icon}
              aria-label={`Move ${name} down`}
              disabled={index === count - 1}
              onClick={() => onMove(index + 1)}
            >
              <ArrowDown aria-hidden className="size-3.5" />
            </Button>
            <Button {...icon} aria-label={`Edit ${name}`} onClick={onEdit}>
              <Pencil aria-hidden className="size-3.5" />
            </Button>
            <Button {...icon} aria-label={`Delete ${name}`} onClick={onDelete}>
              <Trash2 aria-hidden className="size-3.5" />
            </Button>
          </span>
        ) : null}
      </div>
      {problems.map((problem) => (
        <p
          key={`${problem.part} ${problem.message}`}
          role="alert"
          className="mt-1 flex items-start gap-1.5 pl-9 text-danger text-xs"
        >
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <span className="break-anything">
            {problem.part
              ? `${problem.part}${problem.position === null ? '' : `, at character ${problem.position + 1}`}: `
              : ''}
            {problem.message}.
          </span>
        </p>
      ))}
      {hits === null ? null : (
        <p className="mt-1 pl-9">
          <Badge tone={hits > 0 ? 'success' : 'warning'}>
            {hits > 0 ? `changes ${formatPlural(hits, 'value')}` : 'finds nothing else in this event'}
          </Badge>
        </p>
      )}
    </li>
  );
}

const newRule = (rules: readonly EditedRule[]): EditedRule => ({
  key: Math.max(-1, ...rules.map(({ key }) => key)) + 1,
  method: 'mask',
  type: 'email',
  pattern: null,
  placeholder: null,
  selector: '$string',
});
