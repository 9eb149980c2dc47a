import type { IssueStatus, IssueSubstatus } from '#domain/issues/issue.ts';
import type { Level } from '#protocol/event.ts';
import type { IssueExpression } from '#storage/ports/search.ts';

type Lists = {
  statuses?: readonly IssueStatus[];
  substatuses?: readonly IssueSubstatus[];
  levels?: readonly Level[];
  /** 'none' means unassigned. */
  assignees?: readonly string[];
  /** Each must occur. */
  text?: readonly string[];
};

/** The usual conditions in short: values of one list are alternatives, lists a conjunction. */
export type Asked = Lists & {
  releases?: readonly string[];
  seen?: { fromMs: number; toMs: number } | null;
  negated?: Lists;
};

export function asks({ releases, seen, negated, ...lists }: Asked): IssueExpression {
  return {
    kind: 'and',
    parts: [
      ...conditions(lists, false),
      ...conditions(negated ?? {}, true),
      ...(releases
        ? [{ kind: 'release' as const, which: 'any' as const, matches: exact(releases), isNegated: false }]
        : []),
      ...(seen
        ? [
            {
              kind: 'moment' as const,
              field: 'last_seen' as const,
              comparison: '>=' as const,
              atMs: seen.fromMs,
            },
            {
              kind: 'moment' as const,
              field: 'last_seen' as const,
              comparison: '<' as const,
              atMs: seen.toMs,
            },
          ]
        : []),
    ],
  };
}

function conditions(lists: Lists, isNegated: boolean): readonly IssueExpression[] {
  const { statuses, substatuses, levels, assignees, text = [] } = lists;
  return [
    ...(statuses ? [{ kind: 'status' as const, statuses, isNegated }] : []),
    ...(substatuses ? [{ kind: 'substatus' as const, substatuses, isNegated }] : []),
    ...(levels
      ? [{ kind: 'text' as const, field: 'level' as const, matches: exact(levels), isNegated }]
      : []),
    ...(assignees
      ? [
          {
            kind: 'assignee' as const,
            userIds: assignees.filter((id) => id !== 'none'),
            teamIds: [],
            isNobody: assignees.includes('none'),
            isNegated,
          },
        ]
      : []),
    ...text.map((word) => ({
      kind: 'words' as const,
      match: { kind: 'pattern' as const, parts: ['', word, ''] },
      isNegated,
    })),
  ];
}

const exact = (texts: readonly string[]) => texts.map((text) => ({ kind: 'exact' as const, text }));
