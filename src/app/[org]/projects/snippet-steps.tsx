import { CodeBlock } from '#ui/code-block.tsx';
import { sdkSnippet } from './sdk-snippets.ts';

/** What to install, write and run, step by step. */
export function SnippetSteps({ platform, dsn }: { platform: string | null; dsn: string }) {
  return (
    <ol className="flex flex-col gap-6">
      {sdkSnippet(platform, dsn).map((step, index) => (
        <li key={step.title} className="min-w-0">
          <h3 className="flex items-center gap-2.5 font-semibold text-base">
            <span
              aria-hidden
              className="numbers grid size-6 shrink-0 place-items-center rounded-full bg-surface-pressed text-text-muted text-xs"
            >
              {index + 1}
            </span>
            {step.title}
          </h3>
          {step.hint ? <p className="mt-1 pl-[34px] text-sm text-text-muted">{step.hint}</p> : null}
          {step.file ? (
            <p className="mt-1 pl-[34px] text-sm text-text-muted">
              A file <code className="mono text-text text-xs">{step.file}</code>
            </p>
          ) : null}
          <CodeBlock className="mt-2 sm:ml-[34px]" text={step.text} label={step.title.toLowerCase()} />
        </li>
      ))}
    </ol>
  );
}
