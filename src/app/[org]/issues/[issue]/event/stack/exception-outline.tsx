import { visibleStart } from '#lib/visible-text.ts';
import type { ExceptionView } from '../event-view.ts';

/** Deeper ones stand under each other: a phone has no room for more. */
const DEPTH_SHOWN_MAX = 6;
const INDENT_REM = 1.25;

/** The exceptions of a group as a tree, each leading to its stack. */
export function ExceptionOutline({ exceptions }: { exceptions: readonly ExceptionView[] }) {
  return (
    <nav aria-label="Exceptions of the group" className="mb-5 rounded-md border px-3 py-2">
      <ol className="text-xs leading-6">
        {exceptions.map(({ node, type, value }) => (
          <li
            key={node.index}
            className="flex min-w-0 items-baseline gap-1.5"
            style={{ paddingLeft: `${Math.min(node.depth, DEPTH_SHOWN_MAX) * INDENT_REM}rem` }}
          >
            <span className="shrink-0 text-text-faint">
              {node.place ? `${node.place[0]}/${node.place[1]}` : node.relation === 'cause' ? 'cause' : ''}
            </span>
            <a
              href={`#exception-${node.index}`}
              className="min-w-0 truncate text-text no-underline hover:underline"
            >
              <bdi className="font-semibold">{type || 'Exception without a type'}</bdi>
              {value ? (
                <bdi className="text-text-muted">: {visibleStart(value, VALUE_CHARACTERS_SHOWN)}</bdi>
              ) : null}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const VALUE_CHARACTERS_SHOWN = 160;
