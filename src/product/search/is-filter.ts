import type { IssueStatus, IssueSubstatus } from '#domain/issues/issue.ts';
import type { IssueExpression } from '#storage/ports/search.ts';
import { refuseProblem } from './event-filters.ts';
import { unknownValue } from './search-problem.ts';
import type { FilterToken } from './syntax/search-tokens.ts';
import { readTexts } from './text-match.ts';

/** What each `is:` asks of an issue, and its opposite. */
const STATES: Readonly<Record<string, (isNegated: boolean) => IssueExpression>> = {
  unresolved: status('unresolved'),
  resolved: status('resolved'),
  archived: status('archived'),
  ignored: status('archived'),
  for_review: substatus('new', 'escalating', 'regressed'),
  new: substatus('new'),
  ongoing: substatus('ongoing'),
  escalating: substatus('escalating'),
  regressed: substatus('regressed'),
  until_escalating: substatus('archived_until_escalating'),
  until_condition_met: substatus('archived_until_condition_met'),
  archived_until_escalating: substatus('archived_until_escalating'),
  archived_until_condition_met: substatus('archived_until_condition_met'),
  archived_forever: substatus('archived_forever'),
  assigned: (isNegated) => nobody(!isNegated),
  unassigned: (isNegated) => nobody(isNegated),
  linked: (isNegated) => ({ kind: 'linked', isNegated }),
  unlinked: (isNegated) => ({ kind: 'linked', isNegated: !isNegated }),
};

export const IS_VALUES: readonly string[] = Object.keys(STATES);

/** Of several values one is enough; none of them when negated. Throws Invalid for an unknown one. */
export function isFilter(filter: FilterToken): IssueExpression {
  refuseProblem(filter);
  const parts = readTexts(filter).map((value) => {
    const name = value.text.toLowerCase();
    const state = Object.hasOwn(STATES, name) ? STATES[name] : undefined;
    if (!state) throw unknownValue(filter, value, IS_VALUES.join(', '), IS_VALUES);
    return state(filter.isNegated);
  });
  return { kind: filter.isNegated ? 'and' : 'or', parts };
}

function status(name: IssueStatus): (isNegated: boolean) => IssueExpression {
  return (isNegated) => ({ kind: 'status', statuses: [name], isNegated });
}

function substatus(...names: readonly IssueSubstatus[]): (isNegated: boolean) => IssueExpression {
  return (isNegated) => ({ kind: 'substatus', substatuses: names, isNegated });
}

const nobody = (isNegated: boolean): IssueExpression => ({
  kind: 'assignee',
  userIds: [],
  teamIds: [],
  isNobody: true,
  isNegated,
});
