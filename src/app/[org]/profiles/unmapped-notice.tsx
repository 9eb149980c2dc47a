import { sourceProblemText } from '#app/[org]/issues/[issue]/event/source-problem/source-problem-text.ts';
import { visibleData } from '#lib/visible-text.ts';
import type { OpenedProfile } from '#product/profiles/open-profile.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';

/** Why functions of bundled JavaScript have the names that the bundler gave them; nothing when all were mapped. */
export function UnmappedNotice({ unmapped }: Pick<OpenedProfile, 'unmapped'>) {
  if (unmapped.length === 0) return null;
  const frames = unmapped.reduce((sum, each) => sum + each.frames, 0);
  return (
    <Notice title={`${formatPlural(frames, 'function')} shown without source maps`}>
      <ul>
        {visibleData(unmapped).map(({ problem, frames: count }) => {
          const { what, next } = sourceProblemText(problem);
          return (
            <li key={problem.reason}>
              <bdi>{what}</bdi> <span className="text-text-muted">{next}</span>
              {unmapped.length > 1 ? ` (${formatPlural(count, 'function')})` : null}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
