import { CodeBlock } from '#ui/code-block.tsx';

/** Numbered steps, each with code to copy. */
export function StepList({
  steps,
}: {
  /** `file` is the name of the file that the text makes up, `into` of the one that it is added to. */
  steps: readonly { title: string; hint?: string; file?: string; into?: string; text: string }[];
}) {
  return (
    <ol className="flex flex-col gap-6">
      {steps.map((step, index) => (
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
          {step.file || step.into ? (
            <p className="mt-1 pl-[34px] text-sm text-text-muted">
              {step.file ? 'Create' : 'Add to'}{' '}
              <code className="mono break-anything text-text text-xs">{step.file ?? step.into}</code>
            </p>
          ) : null}
          <CodeBlock className="mt-2 sm:ml-[34px]" text={step.text} label={step.title.toLowerCase()} />
        </li>
      ))}
    </ol>
  );
}
