import { DatabaseZap, SearchX } from 'lucide-react';
import { EmptyState } from '#ui/empty-state.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import type { QuestionProblem as Problem } from './read-answer.ts';

/** In place of an answer: why there is none. What is wrong with a search stands beside it. */
export function QuestionProblem({ problem, isSaidAbove }: { problem: Problem; isSaidAbove: boolean }) {
  if (problem.kind === 'invalid') {
    return (
      <EmptyState icon={<SearchX />} title="This query can’t be run">
        {isSaidAbove ? 'See the message above for what to change.' : problem.message}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<DatabaseZap />}
      tone="danger"
      title="The event store is unavailable"
      actions={<ReloadButton />}
    >
      No data is lost. Events are still being accepted. ({problem.reason})
    </EmptyState>
  );
}
