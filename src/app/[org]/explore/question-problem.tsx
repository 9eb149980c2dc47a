import { DatabaseZap, SearchX } from 'lucide-react';
import { EmptyState } from '#ui/empty-state.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';

/** In place of an answer: why there is none. What is wrong with a question stands beside its search. */
export function QuestionProblem({
  problem,
}: {
  problem: { kind: 'unavailable'; reason: string } | { kind: 'invalid' };
}) {
  if (problem.kind === 'invalid') {
    return (
      <EmptyState icon={<SearchX />} title="This query can’t be run">
        See the message above for what to change.
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
