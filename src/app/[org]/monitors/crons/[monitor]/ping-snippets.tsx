import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { cronSnippets } from './cron-snippets.ts';

/** How a job checks in, ready to copy. */
export function PingSnippets({
  slug,
  dsn,
  crontab,
}: {
  slug: string;
  /** null where the project has no key that is enabled. */
  dsn: string | null;
  /** For the snippets of SDKs; null for another schedule. */
  crontab: string | null;
}) {
  return (
    <Card id="check-in" title="Check in">
      <p className="mb-3 max-w-[75ch] text-sm text-text-muted">
        {dsn === null
          ? 'The project has no enabled client key: enable one and put it in place of YOUR_DSN.'
          : 'Add one of these to your job.'}
      </p>
      <div className="flex flex-col gap-2">
        {cronSnippets({ slug, dsn, crontab }).map(({ title, text }, index) => (
          <Disclosure key={title} summary={title} open={index === 0}>
            <CodeBlock text={text} label={title} wrap={false} />
          </Disclosure>
        ))}
      </div>
    </Card>
  );
}
